import type { Schema } from '@ashlar/core';
import { string, type } from '../types/schema-fields.ts';

/** Points to an object of any kind, or to a part of it. */
export interface ObjectReference {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

/** Schema of a reference to an object of any kind. */
export const objectReference: Schema = type(
  'api.core.v1.ObjectReference',
  {
    kind: string(1, 'Kind of the object.'),
    namespace: string(2, 'Its namespace.'),
    name: string(3, 'Its name.'),
    uid: string(4, 'Its identity.', { typeName: 'apimachinery.pkg.types.UID' }),
    apiVersion: string(5, 'Its group and version.'),
    resourceVersion: string(6, 'The version of it that is meant.'),
    fieldPath: string(7, 'The part of it that is meant.'),
  },
  { mapType: 'atomic' },
);

/** Schema of a reference by name within the namespace. */
export const localObjectReference: Schema = type(
  'api.core.v1.LocalObjectReference',
  { name: string(1, 'Name of the object.', { default: '' }) },
  { mapType: 'atomic' },
);
