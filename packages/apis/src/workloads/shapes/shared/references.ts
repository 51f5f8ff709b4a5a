import type { Schema } from '@ashlar/core';
import { optional, printed, string, type } from '../../../types/schema-fields.ts';

// References to objects of other kinds.

/** Schema of `TypedLocalObjectReference`. */
export const typedLocalObjectReference: Schema = type(
  'api.core.v1.TypedLocalObjectReference',
  {
    apiGroup: printed(optional(string(1))),
    kind: printed(string(2)),
    name: printed(string(3)),
  },
  { required: ['kind', 'name'], mapType: 'atomic' },
);

/** Schema of `TypedObjectReference`. */
export const typedObjectReference: Schema = type(
  'api.core.v1.TypedObjectReference',
  {
    apiGroup: printed(optional(string(1))),
    kind: printed(string(2)),
    name: printed(string(3)),
    namespace: optional(string(4)),
  },
  { required: ['kind', 'name'] },
);

/** Schema of `SecretReference`. */
export const secretReference: Schema = type(
  'api.core.v1.SecretReference',
  {
    name: string(1),
    namespace: string(2),
  },
  { mapType: 'atomic' },
);
