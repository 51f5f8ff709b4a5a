import type { Schema } from '@ashlar/core';
import { compileTyped, type TypedCodec } from '@ashlar/schema';

const TEXT: Schema = { type: 'string' };
const INT32: Schema = { type: 'integer', format: 'int32' };
/** Content that is not looked at. */
const ANY: Schema = {};
const TEXTS: Schema = { type: 'array', items: TEXT };
const TEXT_MAP: Schema = { type: 'object', additionalProperties: TEXT };

const text = (typeName: string): Schema => ({ type: 'string', typeName });
const optional = (schema: Schema): Schema => ({ ...schema, optional: true });
const struct = (typeName: string, properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  typeName,
  properties,
});

const CAUSE = struct('v1.StatusCause', { reason: text('v1.CauseType'), message: TEXT, field: TEXT });

const DETAILS = struct('v1.StatusDetails', {
  name: TEXT,
  group: TEXT,
  kind: TEXT,
  uid: text('types.UID'),
  causes: { type: 'array', items: CAUSE },
  retryAfterSeconds: INT32,
});

const LIST_META = struct('v1.ListMeta', {
  selfLink: TEXT,
  resourceVersion: TEXT,
  continue: TEXT,
  remainingItemCount: optional({ type: 'integer', format: 'int64' }),
});

const STATUS = struct('v1.Status', {
  kind: TEXT,
  apiVersion: TEXT,
  metadata: LIST_META,
  status: TEXT,
  message: TEXT,
  reason: text('v1.StatusReason'),
  details: optional(DETAILS),
  code: INT32,
});

const named = (typeName: string, ...names: readonly string[]): Schema =>
  struct(typeName, Object.fromEntries(names.map((name) => [name, TEXT])));
const KIND = named('v1.GroupVersionKind', 'group', 'version', 'kind');
const RESOURCE = named('v1.GroupVersionResource', 'group', 'version', 'resource');

const USER = struct('v1.UserInfo', {
  username: TEXT,
  uid: TEXT,
  groups: TEXTS,
  extra: { type: 'object', additionalProperties: { ...TEXTS, typeName: 'v1.ExtraValue' } },
});

const ADMISSION_REQUEST = struct('v1.AdmissionRequest', {
  uid: text('types.UID'),
  kind: KIND,
  resource: RESOURCE,
  subResource: TEXT,
  requestKind: optional(KIND),
  requestResource: optional(RESOURCE),
  requestSubResource: TEXT,
  name: TEXT,
  namespace: TEXT,
  operation: text('v1.Operation'),
  userInfo: USER,
  object: ANY,
  oldObject: ANY,
  dryRun: optional({ type: 'boolean' }),
  options: ANY,
});

const ADMISSION_RESPONSE = struct('v1.AdmissionResponse', {
  uid: text('types.UID'),
  allowed: { type: 'boolean' },
  status: optional(STATUS),
  patch: { type: 'string', format: 'byte' },
  patchType: optional(text('v1.PatchType')),
  auditAnnotations: TEXT_MAP,
  warnings: TEXTS,
});

const CONVERSION_REQUEST = struct('v1.ConversionRequest', {
  uid: text('types.UID'),
  desiredAPIVersion: TEXT,
  objects: { type: 'array', items: ANY },
});

const CONVERSION_RESPONSE = struct('v1.ConversionResponse', {
  uid: text('types.UID'),
  convertedObjects: { type: 'array', items: ANY },
  result: STATUS,
});

const review = (typeName: string, request: Schema, response: Schema): TypedCodec =>
  compileTyped(
    struct(typeName, {
      kind: TEXT,
      apiVersion: TEXT,
      request: optional(request),
      response: optional(response),
    }),
  );

/** How reviews are decoded, by their kind; both versions have the same fields. */
export const REVIEW_TYPES: Readonly<Record<'AdmissionReview' | 'ConversionReview', TypedCodec>> = {
  AdmissionReview: review('v1.AdmissionReview', ADMISSION_REQUEST, ADMISSION_RESPONSE),
  ConversionReview: review('v1.ConversionReview', CONVERSION_REQUEST, CONVERSION_RESPONSE),
};
