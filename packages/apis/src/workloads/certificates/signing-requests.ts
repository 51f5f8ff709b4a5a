import { writtenUser } from '@ashlar/codec';
import { type ApiObject, groupName, humanDuration, type UserInfo, type Vocabulary } from '@ashlar/core';
import { type ResourceDefinition, SUBRESOURCE_VERBS, type SubresourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { orElse } from '../cells.ts';
import { type InheritedFault, inheritedError } from '../inherited/inherited-faults.ts';
import { certificateSigningRequestSchema } from '../shapes/certificates/certificate-signing-request.ts';
import { workloadType } from '../workload-type.ts';
import { certificateChangeErrors, certificateErrorsSteps, changesCertificate } from './issued-certificate.ts';
import { conditionChangeErrors, conditionErrors } from './request-conditions.ts';
import type { RequestCondition, SigningRequest } from './signing-request-types.ts';
import { bytesErrorsSteps, requestErrorsSteps } from './signing-request-validation.ts';

const DECISIONS: readonly string[] = ['Approved', 'Denied'];
const NANOSECONDS = 1_000_000_000n;
/** Of the object and of its subresources. */
const UPDATE_CHECKS = ['metadata', 'change', 'metadata-change'] as const;

/**
 * Certificate signing requests as stored objects, with their requester (semantics/verbs#kinds,
 * semantics/list-and-watch#field-selectors, semantics/tables#built-in-columns,
 * semantics/access#certificate-signing-requests). The plugin of `createCertificateAdmission` checks who may
 * approve and sign.
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
      updateChecks: UPDATE_CHECKS,
      prepare: withStoredDecision,
      *validateSteps(object, stored) {
        const isReplaced = changesCertificate(object, stored);
        return [
          ...conditionErrors(object, stored),
          ...(isReplaced ? yield* certificateErrorsSteps(object, stored) : []),
          ...conditionChangeErrors(object, stored, DECISIONS),
          ...(isReplaced ? certificateChangeErrors(stored) : []),
        ];
      },
      resetFields: [['spec'], ['status', 'conditions']],
    },
    subresources: [approval],
    inherits: inheritedUsages(legacySigner),
    strategy: {
      // all that holds for names is that they are segments of a path, as for every kind
      validateName: () => [],
      updateChecks: UPDATE_CHECKS,
      resetFields: [['spec'], ['status']],
      prepareForCreate: withRequester,
      prepareForUpdate: (object: SigningRequest, stored: SigningRequest): ApiObject => ({
        ...object,
        spec: stored.spec,
      }),
      *validateSteps(object) {
        const ofBytes = yield* bytesErrorsSteps(object);
        return [...ofBytes, ...(yield* requestErrorsSteps(object, legacySigner))];
      },
      validateUpdateSteps: (object) => requestErrorsSteps(object, legacySigner),
    },
  });
}

/** Accepts conditions, and nothing else of the status. */
const approval: SubresourceDefinition = {
  name: 'approval',
  verbs: SUBRESOURCE_VERBS,
  updateChecks: UPDATE_CHECKS,
  prepareForUpdate(submitted: SigningRequest, stored: SigningRequest) {
    const { conditions: _, ...status } = stored.status ?? {};
    const { conditions } = submitted.status ?? {};
    return {
      ...stored,
      metadata: submitted.metadata,
      status: { ...(conditions && { conditions }), ...status },
    };
  },
  validateUpdate: (object, stored) => [
    ...conditionErrors(object, stored),
    ...conditionChangeErrors(object, stored, []),
  ],
  resetFields: [['spec'], ['status', 'certificate']],
};

const USAGE: RegExp = /^spec\.usages\[\d+\]$/;

/** Requests of former versions: with usages twice, with others than are known, or without a signer of their own. */
const inheritedUsages = (legacySigner: string): readonly InheritedFault[] => [
  inheritedError(({ field, reason }) => USAGE.test(field) && reason === 'FieldValueDuplicate'),
  inheritedError(({ field, reason }) => USAGE.test(field) && reason === 'FieldValueNotSupported'),
  {
    isAbout: ({ field }) => field === 'spec.signerName',
    isInherited: ({ stored }) => (stored as SigningRequest).spec?.signerName === legacySigner,
  },
];

const NOBODY: UserInfo = { name: '', groups: [] };

/** Clients cannot set the identity of the requester. */
function withRequester(object: SigningRequest, user: UserInfo = NOBODY): ApiObject {
  const { name, uid, groups, extra = {} } = writtenUser(user);
  const { username: _, uid: __, groups: ___, extra: ____, ...submitted } = object.spec ?? {};
  const spec: SigningRequest['spec'] = {
    ...submitted,
    ...(name !== '' && { username: name }),
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
  return { ...object, spec } as ApiObject;
}

/**
 * The signer does not decide about a request: the status endpoint preserves the stored decision, including
 * its texts and times.
 */
function withStoredDecision(object: SigningRequest, stored: SigningRequest): ApiObject {
  const before = stored.status?.conditions ?? [];
  const conditions = DECISIONS.reduce(
    (all: readonly RequestCondition[], type) => withStoredInstances(all, before, type),
    object.status?.conditions ?? [],
  );
  return conditions.length === 0
    ? object
    : ({ ...object, status: { ...object.status, conditions } } as ApiObject);
}

function withStoredInstances(
  conditions: readonly RequestCondition[],
  before: readonly RequestCondition[],
  type: string,
): readonly RequestCondition[] {
  const stored = before.filter((condition) => condition.type === type);
  if (conditions.filter((condition) => condition.type === type).length !== stored.length) return conditions;
  const next = stored.values();
  return conditions.map((condition) =>
    condition.type === type ? (next.next().value ?? condition) : condition,
  );
}

function conditionText({ status = {} }: SigningRequest): string {
  const has = (conditionType: string): boolean =>
    (status.conditions ?? []).some(({ type }) => type === conditionType);
  const result = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${result}${has('Failed') ? ',Failed' : ''}${status.certificate ? ',Issued' : ''}`;
}
