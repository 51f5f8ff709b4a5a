import { type ApiObject, groupName, humanDuration, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition, SubresourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../columns.ts';
import { orElse } from '../cells.ts';
import { certificateSigningRequestSchema } from '../shapes/certificate-signing-request.ts';
import { workloadType } from '../workload-type.ts';
import type { SigningRequest } from './signing-request-types.ts';
import { certificateErrors, conditionErrors, requestErrors } from './signing-request-validation.ts';

const NANOSECONDS = 1_000_000_000n;

/**
 * Requests of certificates as stored objects (semantics C12, D2, E5, K15). Nobody signs, nobody asks whether somebody may sign,
 * and who asks is not written into them: that needs to know the caller.
 */
export function certificateSigningRequests(vocabulary: Vocabulary): ResourceDefinition {
  const legacySigner = `${vocabulary.labelDomain}/legacy-unknown`;
  return workloadType({
    group: groupName(vocabulary, 'certificates.'),
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    shortNames: ['csr'],
    scope: 'Cluster',
    schema: certificateSigningRequestSchema,
    columns: [
      nameColumn,
      ageColumn,
      column('SignerName', 'Who is to sign.', ({ spec }: SigningRequest) =>
        orElse(spec?.signerName, '<none>'),
      ),
      column('Requestor', 'Who asked.', ({ spec }: SigningRequest) => spec?.username ?? ''),
      column('RequestedDuration', 'How long it is to be valid.', ({ spec }: SigningRequest) =>
        spec?.expirationSeconds === undefined
          ? '<none>'
          : humanDuration(BigInt(spec.expirationSeconds) * NANOSECONDS),
      ),
      column('Condition', 'What became of it.', conditionText),
    ],
    selectableFields: {
      names: ['spec.signerName'],
      valueOf: ({ spec }: SigningRequest) => spec?.signerName ?? '',
    },
    status: {
      validate: (object, stored) => [
        ...conditionErrors(object, stored, ['Approved', 'Denied']),
        ...certificateErrors(object, stored),
      ],
      resetFields: [['spec'], ['status', 'conditions']],
    },
    subresources: [approval],
    strategy: {
      resetFields: [['spec'], ['status']],
      prepareForCreate: withoutIdentity,
      prepareForUpdate: (object: SigningRequest, stored: SigningRequest): ApiObject => ({
        ...object,
        spec: stored.spec,
      }),
      validate: (object) => requestErrors(object, legacySigner),
      validateUpdate: (object) => requestErrors(object, legacySigner),
    },
  });
}

/** Takes conditions, and nothing else of the status. */
const approval: SubresourceDefinition = {
  name: 'approval',
  verbs: ['get', 'patch', 'update'],
  prepareForUpdate(submitted: SigningRequest, stored: SigningRequest) {
    const { conditions: _, ...status } = stored.status ?? {};
    const { conditions } = submitted.status ?? {};
    return {
      ...stored,
      metadata: submitted.metadata,
      status: { ...(conditions && { conditions }), ...status },
    };
  },
  validateUpdate: (object, stored) => conditionErrors(object, stored, []),
  resetFields: [['spec'], ['status', 'certificate']],
};

/** Nobody says for himself who he is. */
function withoutIdentity(object: SigningRequest): ApiObject {
  const { username: _, uid: __, groups: ___, extra: ____, ...spec } = object.spec ?? {};
  return { ...object, spec };
}

function conditionText({ status = {} }: SigningRequest): string {
  const has = (wanted: string): boolean => (status.conditions ?? []).some(({ type }) => type === wanted);
  const answer = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${answer}${has('Failed') ? ',Failed' : ''}${status.certificate ? ',Issued' : ''}`;
}
