import type { Schema } from './schema.ts';

const META = 'apimachinery.pkg.apis.meta.v1';

const text: Schema = { type: 'string' };
/** A string that is printed even when empty. */
const printedText: Schema = { type: 'string', default: '', alwaysPrinted: true };
const textMap: Schema = { type: 'object', additionalProperties: { type: 'string', default: '' } };
const textList: Schema = { type: 'array', items: { type: 'string', default: '' } };
const flag: Schema = { type: 'boolean', optional: true };
const int32: Schema = { type: 'integer', format: 'int32' };
const int64: Schema = { type: 'integer', format: 'int64' };
const time: Schema = { type: 'string', format: 'date-time', typeName: `${META}.Time` };
const uid: Schema = { type: 'string', typeName: 'apimachinery.pkg.types.UID' };

/**
 * `kind` and `apiVersion` of top-level objects; they have no field numbers, because Protobuf keeps them in
 * the envelope.
 */
export const typeMetaProperties: Readonly<Record<string, Schema>> = {
  kind: { ...text, description: 'The kind of this object.' },
  apiVersion: {
    ...text,
    description: 'APIVersion defines the group and the version in which this object is written.',
  },
};

const ownerReference: Schema = {
  type: 'object',
  typeName: `${META}.OwnerReference`,
  description: 'Another object that this one belongs to.',
  mapType: 'atomic',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: { ...printedText, tag: 5, description: 'Group and version of the owner.' },
    kind: { ...printedText, tag: 1, description: 'Kind of the owner.' },
    name: { ...printedText, tag: 3, description: 'Name of the owner.' },
    uid: { ...uid, ...printedText, tag: 4, description: 'Identity of the owner.' },
    controller: { ...flag, tag: 6, description: 'Whether the owner manages this object; at most one does.' },
    blockOwnerDeletion: {
      ...flag,
      tag: 7,
      description: 'Whether an owner that is deleted in the foreground waits for this object.',
    },
  },
};

const managedFieldsEntry: Schema = {
  type: 'object',
  typeName: `${META}.ManagedFieldsEntry`,
  description: 'What one manager owns.',
  properties: {
    manager: { ...text, tag: 1, description: 'Who owns the fields.' },
    operation: {
      ...text,
      typeName: `${META}.ManagedFieldsOperationType`,
      tag: 2,
      description: 'How they came to be owned: Apply or Update.',
    },
    apiVersion: { ...text, tag: 3, description: 'The version in which the fields are named.' },
    time: { ...time, tag: 4, optional: true, description: 'When the entry last changed.' },
    fieldsType: { ...text, tag: 6, description: 'How the fields are written: FieldsV1.' },
    fieldsV1: {
      type: 'object',
      format: 'fields-v1',
      typeName: `${META}.FieldsV1`,
      tag: 7,
      optional: true,
      description: 'The fields, as a tree of their names.',
    },
    subresource: {
      ...text,
      tag: 8,
      description: 'The subresource through which they were written, if any.',
    },
  },
};

/**
 * Metadata of objects (semantics/metadata#fields, semantics/apply#types), with field numbers and list topology as published; `typeName`s lack the vendor's domain.
 * Objects of built-in kinds print `creationTimestamp` as null if it is not set; other objects leave it out.
 */
export const objectMetaSchema: Schema = {
  type: 'object',
  typeName: `${META}.ObjectMeta`,
  description: "Standard object's metadata: what all objects have in common.",
  properties: {
    name: { ...text, tag: 1, description: 'Unique within the namespace and kind; cannot change.' },
    generateName: {
      ...text,
      tag: 2,
      description: 'Beginning of a name that the server completes where none is given.',
    },
    namespace: { ...text, tag: 3, description: 'The namespace that the object is in; cannot change.' },
    selfLink: { ...text, tag: 4, description: 'No longer in use.' },
    uid: { ...uid, tag: 5, description: 'Identity given by the server: unlike a name, never used again.' },
    resourceVersion: {
      ...text,
      tag: 6,
      description: 'Changes with every write; compare for equality only.',
    },
    generation: { ...int64, tag: 7, description: 'Counts changes of what is wanted.' },
    creationTimestamp: {
      ...time,
      tag: 8,
      alwaysPrinted: true,
      description: 'CreationTimestamp is a timestamp: when the object was made. Set by the server.',
    },
    deletionTimestamp: {
      ...time,
      tag: 9,
      optional: true,
      description: 'Since when, or from when on, the object is being deleted; set by the server.',
    },
    deletionGracePeriodSeconds: {
      ...int64,
      tag: 10,
      optional: true,
      description: 'Seconds that were granted for ending in order.',
    },
    labels: { ...textMap, tag: 11, description: 'Texts by which objects are selected.' },
    annotations: { ...textMap, tag: 12, description: 'Texts for tools, not for selection.' },
    ownerReferences: {
      type: 'array',
      items: ownerReference,
      tag: 13,
      listType: 'map',
      listMapKeys: ['uid'],
      patchStrategy: 'merge',
      patchMergeKey: 'uid',
      description: 'The objects that this one belongs to.',
    },
    finalizers: {
      ...textList,
      tag: 14,
      listType: 'set',
      patchStrategy: 'merge',
      description: 'Who must let go before the object can be removed.',
    },
    managedFields: {
      type: 'array',
      items: managedFieldsEntry,
      tag: 17,
      listType: 'atomic',
      description: 'Which manager owns which field; kept by the server.',
    },
  },
};

/** Metadata of lists (semantics/metadata#fields). */
export const listMetaSchema: Schema = {
  type: 'object',
  typeName: `${META}.ListMeta`,
  description: 'What all lists have in common.',
  properties: {
    selfLink: { ...text, tag: 1, description: 'No longer in use.' },
    resourceVersion: {
      ...text,
      tag: 2,
      description: 'The moment that the list shows; watches start from it.',
    },
    continue: { ...text, tag: 3, description: 'Asks for the next page of the same list; empty on the last.' },
    remainingItemCount: {
      ...int64,
      tag: 4,
      optional: true,
      description: 'How many items later pages have, where the server knows.',
    },
  },
};

const statusCause: Schema = {
  type: 'object',
  typeName: `${META}.StatusCause`,
  description: 'One of the things that are wrong.',
  properties: {
    reason: {
      ...text,
      typeName: `${META}.CauseType`,
      tag: 1,
      description: 'What is wrong, for programs.',
    },
    message: { ...text, tag: 2, description: 'What is wrong, for people.' },
    field: { ...text, tag: 3, description: 'The field at fault, as a path from the root of the object.' },
  },
};

const statusDetails: Schema = {
  type: 'object',
  typeName: `${META}.StatusDetails`,
  description: 'What a response is about.',
  properties: {
    name: { ...text, tag: 1, description: 'Name of the object.' },
    group: { ...text, tag: 2, description: 'Group of the object.' },
    kind: { ...text, tag: 3, description: 'Kind or resource of the object.' },
    uid: { ...uid, tag: 6, description: 'Identity of the object.' },
    causes: {
      type: 'array',
      items: statusCause,
      tag: 4,
      listType: 'atomic',
      description: 'What is wrong, one by one.',
    },
    retryAfterSeconds: { ...int32, tag: 5, description: 'Seconds after which to try again.' },
  },
};

/** The response without an object (semantics/status#shape). */
export const statusSchema: Schema = {
  type: 'object',
  typeName: `${META}.Status`,
  description: 'How a request ended that gives no object.',
  properties: {
    ...typeMetaProperties,
    metadata: { ...listMetaSchema, tag: 1 },
    status: { ...text, tag: 2, description: 'Success or Failure.' },
    message: { ...text, tag: 3, description: 'What happened, for people.' },
    reason: {
      ...text,
      typeName: `${META}.StatusReason`,
      tag: 4,
      description: 'Why the request failed, for programs.',
    },
    details: { ...statusDetails, tag: 5, optional: true, listType: 'atomic' },
    code: { ...int32, tag: 6, description: 'The HTTP status code.' },
  },
};

const preconditions: Schema = {
  type: 'object',
  typeName: `${META}.Preconditions`,
  description: 'What must hold for the deletion to take place.',
  properties: {
    uid: { ...uid, tag: 1, optional: true, description: 'The identity that the object must have.' },
    resourceVersion: {
      ...text,
      tag: 2,
      optional: true,
      description: 'The version that the object must have.',
    },
  },
};

/** The body of a DELETE (semantics/verbs#delete). */
export const deleteOptionsSchema: Schema = {
  type: 'object',
  typeName: `${META}.DeleteOptions`,
  description: 'How to delete.',
  properties: {
    ...typeMetaProperties,
    gracePeriodSeconds: {
      ...int64,
      tag: 1,
      optional: true,
      description: 'Seconds for the object to end in order; 0 removes it at once.',
    },
    preconditions: { ...preconditions, tag: 2, optional: true },
    orphanDependents: {
      ...flag,
      tag: 3,
      description: 'Former spelling of the propagation policies Orphan and Background.',
    },
    propagationPolicy: {
      ...text,
      typeName: `${META}.DeletionPropagation`,
      tag: 4,
      optional: true,
      description: 'What becomes of the objects that belong to this one: Orphan, Background or Foreground.',
    },
    dryRun: {
      ...textList,
      tag: 5,
      listType: 'atomic',
      description: 'All: do everything but the deletion itself.',
    },
    ignoreStoreReadErrorWithClusterBreakingPotential: {
      ...flag,
      tag: 6,
      description: 'Removes an object that cannot be read from the store, with none of the usual steps.',
    },
  },
};

/** An object reduced to its metadata (semantics/tables#shapes). */
export const partialObjectMetadataSchema: Schema = {
  type: 'object',
  typeName: `${META}.PartialObjectMetadata`,
  description: 'An object cut down to its metadata.',
  properties: { ...typeMetaProperties, metadata: { ...objectMetaSchema, tag: 1 } },
};
