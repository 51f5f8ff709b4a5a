import { metaGroup, type Schema, type Vocabulary } from '@ashlar/core';

const META = 'apimachinery.pkg.apis.meta.v1';
const text: Schema = { type: 'string' };
const texts: Schema = { type: 'object', additionalProperties: text };
const int32: Schema = { type: 'integer', format: 'int32' };
const int64: Schema = { type: 'integer', format: 'int64' };
const time: Schema = { type: 'string', format: 'date-time' };

/** `kind` and `apiVersion`, which Protobuf keeps in the envelope and lists leave out of their items. */
const typeMeta: Readonly<Record<string, Schema>> = { kind: text, apiVersion: text };

const ownerReference: Schema = {
  type: 'object',
  typeName: `${META}.OwnerReference`,
  mapType: 'atomic',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: { ...text, tag: 5, alwaysPrinted: true },
    kind: { ...text, tag: 1, alwaysPrinted: true },
    name: { ...text, tag: 3, alwaysPrinted: true },
    uid: { ...text, tag: 4, alwaysPrinted: true },
    controller: { type: 'boolean', tag: 6, optional: true },
    blockOwnerDeletion: { type: 'boolean', tag: 7, optional: true },
  },
};

const managedFieldsEntry: Schema = {
  type: 'object',
  typeName: `${META}.ManagedFieldsEntry`,
  properties: {
    manager: { ...text, tag: 1 },
    operation: { ...text, tag: 2 },
    apiVersion: { ...text, tag: 3 },
    time: { ...time, tag: 4, optional: true },
    fieldsType: { ...text, tag: 6 },
    fieldsV1: { type: 'object', format: 'fields-v1', typeName: `${META}.FieldsV1`, tag: 7, optional: true },
    subresource: { ...text, tag: 8 },
  },
};

/** Metadata of objects (semantics B1), with field numbers and list topology as published. `typeName`s lack the vendor's domain. */
export const objectMetaSchema: Schema = {
  type: 'object',
  typeName: `${META}.ObjectMeta`,
  properties: {
    name: { ...text, tag: 1 },
    generateName: { ...text, tag: 2 },
    namespace: { ...text, tag: 3 },
    selfLink: { ...text, tag: 4 },
    uid: { ...text, tag: 5 },
    resourceVersion: { ...text, tag: 6 },
    generation: { ...int64, tag: 7 },
    creationTimestamp: { ...time, tag: 8 },
    deletionTimestamp: { ...time, tag: 9, optional: true },
    deletionGracePeriodSeconds: { ...int64, tag: 10, optional: true },
    labels: { ...texts, tag: 11 },
    annotations: { ...texts, tag: 12 },
    ownerReferences: {
      type: 'array',
      items: ownerReference,
      tag: 13,
      listType: 'map',
      listMapKeys: ['uid'],
      patchStrategy: 'merge',
      patchMergeKey: 'uid',
    },
    finalizers: { type: 'array', items: text, tag: 14, listType: 'set', patchStrategy: 'merge' },
    managedFields: { type: 'array', items: managedFieldsEntry, tag: 17, listType: 'atomic' },
  },
};

/** Metadata of lists. */
export const listMetaSchema: Schema = {
  type: 'object',
  typeName: `${META}.ListMeta`,
  properties: {
    selfLink: { ...text, tag: 1 },
    resourceVersion: { ...text, tag: 2 },
    continue: { ...text, tag: 3 },
    remainingItemCount: { ...int64, tag: 4, optional: true },
  },
};

const statusCause: Schema = {
  type: 'object',
  typeName: `${META}.StatusCause`,
  properties: { reason: { ...text, tag: 1 }, message: { ...text, tag: 2 }, field: { ...text, tag: 3 } },
};

const statusDetails: Schema = {
  type: 'object',
  typeName: `${META}.StatusDetails`,
  properties: {
    name: { ...text, tag: 1 },
    group: { ...text, tag: 2 },
    kind: { ...text, tag: 3 },
    uid: { ...text, tag: 6 },
    causes: { type: 'array', items: statusCause, tag: 4, listType: 'atomic' },
    retryAfterSeconds: { ...int32, tag: 5 },
  },
};

/** The answer without an object (semantics A1). */
export const statusSchema: Schema = {
  type: 'object',
  typeName: `${META}.Status`,
  properties: {
    ...typeMeta,
    metadata: { ...listMetaSchema, tag: 1 },
    status: { ...text, tag: 2 },
    message: { ...text, tag: 3 },
    reason: { ...text, tag: 4 },
    details: { ...statusDetails, tag: 5, optional: true },
    code: { ...int32, tag: 6 },
  },
};

const preconditions: Schema = {
  type: 'object',
  typeName: `${META}.Preconditions`,
  properties: {
    uid: { ...text, tag: 1, optional: true },
    resourceVersion: { ...text, tag: 2, optional: true },
  },
};

/** The body of a DELETE (semantics C6). */
export const deleteOptionsSchema: Schema = {
  type: 'object',
  typeName: `${META}.DeleteOptions`,
  properties: {
    ...typeMeta,
    gracePeriodSeconds: { ...int64, tag: 1, optional: true },
    preconditions: { ...preconditions, tag: 2, optional: true },
    orphanDependents: { type: 'boolean', tag: 3, optional: true },
    propagationPolicy: { ...text, tag: 4, optional: true },
    dryRun: { type: 'array', items: text, tag: 5, listType: 'atomic' },
    ignoreStoreReadErrorWithClusterBreakingPotential: { type: 'boolean', tag: 6, optional: true },
  },
};

/** An object cut down to its metadata (semantics E2). */
export const partialObjectMetadataSchema: Schema = {
  type: 'object',
  typeName: `${META}.PartialObjectMetadata`,
  properties: { ...typeMeta, metadata: { ...objectMetaSchema, tag: 1 } },
};

/** The list of objects of a schema; its field numbers are the same for all kinds (semantics I6). */
export function listSchema(item: Schema): Schema {
  return {
    type: 'object',
    ...(item.typeName !== undefined && { typeName: `${item.typeName}List` }),
    required: ['items'],
    properties: {
      ...typeMeta,
      metadata: { ...listMetaSchema, tag: 1 },
      items: { type: 'array', items: item, tag: 2, alwaysPrinted: true },
    },
  };
}

/** The list of objects cut down to their metadata. */
export const partialObjectMetadataListSchema: Schema = listSchema(partialObjectMetadataSchema);

/** Version v1beta1 of that list numbers its fields the other way round. */
const olderPartialList: Schema = {
  ...partialObjectMetadataListSchema,
  properties: {
    ...partialObjectMetadataListSchema.properties,
    metadata: { ...listMetaSchema, tag: 2 },
    items: { type: 'array', items: partialObjectMetadataSchema, tag: 1, alwaysPrinted: true },
  },
};

/** The schema of a kind that every endpoint may answer with or read; undefined for others. */
export function metaKindSchema(vocabulary: Vocabulary, apiVersion: string, kind: string): Schema | undefined {
  if (kind === 'DeleteOptions') return deleteOptionsSchema;
  if (apiVersion === 'v1') return kind === 'Status' ? statusSchema : undefined;
  const group = metaGroup(vocabulary);
  if (apiVersion !== `${group}/v1` && apiVersion !== `${group}/v1beta1`) return undefined;
  if (kind === 'PartialObjectMetadata') return partialObjectMetadataSchema;
  if (kind !== 'PartialObjectMetadataList') return undefined;
  return apiVersion.endsWith('/v1') ? partialObjectMetadataListSchema : olderPartialList;
}
