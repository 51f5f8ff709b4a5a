import type { Schema } from '@ashlar/core';
import { kindSchema } from '../../../types/kind-schema.ts';
import { atomic, int32, optional, printed, string, time, type } from '../../../types/schema-fields.ts';
import {
  bytes,
  listOf,
  mapOf,
  namedTexts,
  ofItemsAmong,
  ownedBy,
  part,
  textOf,
  texts,
  textsOf,
} from '../../shape-fields.ts';
import { CERTIFICATE_USAGES } from '../shared/enumerations.ts';

// Certificate signing requests.

const certificateSigningRequestSpec = type(
  'api.certificates.v1.CertificateSigningRequestSpec',
  {
    request: printed({ ...bytes(1), listType: 'atomic' }),
    signerName: printed(string(7)),
    expirationSeconds: optional(int32(8)),
    usages: ofItemsAmong(textsOf(5, 'api.certificates.v1.KeyUsage', atomic), CERTIFICATE_USAGES),
    username: string(2),
    uid: string(3),
    groups: texts(4, atomic),
    extra: mapOf(6, namedTexts('api.certificates.v1.ExtraValue')),
  },
  { required: ['request', 'signerName'] },
);

const certificateSigningRequestCondition = type(
  'api.certificates.v1.CertificateSigningRequestCondition',
  {
    type: printed(textOf(1, 'api.certificates.v1.RequestConditionType')),
    status: printed(textOf(6, 'api.core.v1.ConditionStatus')),
    reason: string(2),
    message: string(3),
    lastUpdateTime: time(4),
    lastTransitionTime: time(5),
  },
  { required: ['type', 'status'] },
);

const certificateSigningRequestStatus = type('api.certificates.v1.CertificateSigningRequestStatus', {
  conditions: listOf(1, certificateSigningRequestCondition, ownedBy('type')),
  certificate: { ...bytes(2), listType: 'atomic' },
});

/** Schema of `CertificateSigningRequest`. */
export const certificateSigningRequestSchema: Schema = kindSchema(
  'api.certificates.v1.CertificateSigningRequest',
  'Asks a signer for a certificate.',
  {
    spec: part(2, certificateSigningRequestSpec),
    status: part(3, certificateSigningRequestStatus),
  },
  { required: ['spec'] },
);
