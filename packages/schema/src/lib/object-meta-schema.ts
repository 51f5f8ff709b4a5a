import type { Schema } from '@ashlar/core';

const text: Schema = { type: 'string' };
const printedText: Schema = { type: 'string', alwaysPrinted: true };
const textMap: Schema = { type: 'object', additionalProperties: text };
const flag: Schema = { type: 'boolean', optional: true };

const ownerReference: Schema = {
  type: 'object',
  typeName: 'meta.v1.OwnerReference',
  properties: {
    apiVersion: printedText,
    kind: printedText,
    name: printedText,
    uid: { ...printedText, typeName: 'types.UID' },
    controller: flag,
    blockOwnerDeletion: flag,
  },
};

const managedFieldsEntry: Schema = {
  type: 'object',
  typeName: 'meta.v1.ManagedFieldsEntry',
  properties: {
    manager: text,
    operation: { ...text, typeName: 'meta.v1.ManagedFieldsOperationType' },
    apiVersion: text,
    time: { type: 'string', format: 'date-time', optional: true },
    fieldsType: text,
    fieldsV1: { type: 'object', format: 'fields-v1', optional: true },
    subresource: text,
  },
};

/**
 * The metadata of an object, for typed decoding (semantics B1). A creation time that is not set is left out here, as in custom
 * resources; typed kinds print null.
 */
export const objectMetaSchema: Schema = {
  type: 'object',
  typeName: 'meta.v1.ObjectMeta',
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: { ...text, typeName: 'types.UID' },
    resourceVersion: text,
    generation: { type: 'integer', format: 'int64' },
    creationTimestamp: { type: 'string', format: 'date-time' },
    deletionTimestamp: { type: 'string', format: 'date-time', optional: true },
    deletionGracePeriodSeconds: { type: 'integer', format: 'int64', optional: true },
    labels: textMap,
    annotations: textMap,
    ownerReferences: { type: 'array', items: ownerReference },
    finalizers: { type: 'array', items: text },
    managedFields: { type: 'array', items: managedFieldsEntry },
  },
};
