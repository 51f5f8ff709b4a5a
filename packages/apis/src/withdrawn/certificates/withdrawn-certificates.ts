import { type ApiObject, type FieldError, groupName, type Vocabulary } from '@ashlar/core';
import { optional } from '../../types/schema-fields.ts';
import type { SigningRequest } from '../../workloads/certificates/signing-request-types.ts';
import { certificateSigningRequests } from '../../workloads/certificates/signing-requests.ts';
import { compileDefaults } from '../../workloads/defaults/schema-defaults.ts';
import { certificateSigningRequestSchema } from '../../workloads/shapes/certificates/certificate-signing-request.ts';
import { type FieldChanges, revisedSchema, withDefaults } from '../revised-schema.ts';
import {
  newObjectErrors,
  relabelled,
  type WithdrawnVersion,
  withdrawnVersion,
} from '../withdrawn-version.ts';
import { defaultSigner } from './default-signer.ts';

const CHANGES: FieldChanges = {
  'api.certificates.v1.CertificateSigningRequestCondition': withDefaults({ status: 'True' }),
};

/** A given empty list of usages differs from none. */
const DECODED: FieldChanges = {
  ...CHANGES,
  'api.certificates.v1.CertificateSigningRequestSpec': ({ usages, ...fields }) => ({
    ...fields,
    ...(usages && { usages: optional(usages) }),
  }),
};

const { complete } = compileDefaults(revisedSchema(certificateSigningRequestSchema, CHANGES));

/** Signing requests before v1: signer and usages have defaults, and the legacy signer may be named. */
export function withdrawnCertificates(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  const group = groupName(vocabulary, 'certificates.');
  const current = certificateSigningRequests(vocabulary);
  return [
    withdrawnVersion(
      current,
      { version: 'v1beta1' },
      {
        schema: revisedSchema(certificateSigningRequestSchema, DECODED, [
          'api.certificates.v1.',
          'api.certificates.v1beta1.',
        ]),
        complete: (object) => withDefaultSigner(complete(object), vocabulary),
        createErrors: (object) =>
          newObjectErrors(current, relabelled(`${group}/v1`)(object)).filter(isOldRule),
      },
    ),
  ];
}

const USAGES = ['digital signature', 'key encipherment'];

/** Given usages stay, even if there are none. */
function withDefaultSigner(object: SigningRequest, vocabulary: Vocabulary): ApiObject {
  const { spec = {} } = object;
  const { usages = USAGES, ...rest } = spec;
  const signerName = spec.signerName || defaultSigner(spec.request ?? '', usages, vocabulary);
  return { ...object, spec: { ...rest, signerName, ...(usages.length > 0 && { usages }) } } as ApiObject;
}

const isOldRule = ({ field, reason }: FieldError): boolean =>
  field !== 'spec.signerName' && reason !== 'FieldValueDuplicate';
