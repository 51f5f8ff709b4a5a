import type { Schema } from '@ashlar/core';
import {
  atomic,
  boolean,
  int64,
  keyedBy,
  list,
  optional,
  printed,
  set,
  string,
  stringList,
  stringMap,
  time,
  type,
} from './schema-fields.ts';

const META = 'apimachinery.pkg.apis.meta.v1';

const ownerReferenceSchema: Schema = type(
  `${META}.OwnerReference`,
  {
    apiVersion: printed(string(5, 'Group and version of the owner.')),
    kind: printed(string(1, 'Kind of the owner.')),
    name: printed(string(3, 'Name of the owner.')),
    uid: printed(string(4, 'Identity of the owner.')),
    controller: optional(boolean(6, 'Whether the owner manages this object; at most one does.')),
    blockOwnerDeletion: optional(
      boolean(7, 'Whether an owner that is deleted in the foreground waits for this object.'),
    ),
  },
  { mapType: 'atomic', required: ['apiVersion', 'kind', 'name', 'uid'] },
);

const managedFieldsEntrySchema: Schema = type(`${META}.ManagedFieldsEntry`, {
  manager: string(1, 'Who owns the fields.'),
  operation: string(2, 'How they came to be owned: Apply or Update.'),
  apiVersion: string(3, 'The version in which the fields are named.'),
  time: optional(time(4, 'When the entry last changed.')),
  fieldsType: string(6, 'How the fields are written: FieldsV1.'),
  fieldsV1: optional({
    type: 'object',
    format: 'fields-v1',
    typeName: `${META}.FieldsV1`,
    description: 'The fields, as a tree of their names.',
    tag: 7,
  }),
  subresource: string(8, 'The subresource through which they were written, if any.'),
});

/** Schema of the metadata of every object, in the order in which it is printed (semantics B1, F7). */
export const objectMetaSchema: Schema = type(`${META}.ObjectMeta`, {
  name: string(1, 'Unique within the namespace and kind; cannot change.'),
  generateName: string(2, 'Beginning of a name that the server completes where none is given.'),
  namespace: string(3, 'The namespace that the object is in; cannot change.'),
  selfLink: string(4, 'No longer in use.'),
  uid: string(5, 'Identity given by the server: unlike a name, never used again.'),
  resourceVersion: string(6, 'Changes with every write; compare for equality only.'),
  generation: int64(7, 'Counts changes of what is wanted.'),
  creationTimestamp: time(8, 'When the object was made; set by the server.'),
  deletionTimestamp: optional(
    time(9, 'Since when, or from when on, the object is being deleted; set by the server.'),
  ),
  deletionGracePeriodSeconds: optional(int64(10, 'Seconds that were granted for ending in order.')),
  labels: stringMap(11, 'Texts by which objects are selected.'),
  annotations: stringMap(12, 'Texts for tools, not for selection.'),
  ownerReferences: list(13, 'The objects that this one belongs to.', ownerReferenceSchema, keyedBy('uid')),
  finalizers: stringList(14, 'Who must let go before the object can be removed.', set),
  managedFields: list(
    17,
    'Which manager owns which field; kept by the server.',
    managedFieldsEntrySchema,
    atomic,
  ),
});
