import { objectMetaSchema as published } from '@ashlar/codec';
import type { Schema } from '@ashlar/core';

type Texts = Readonly<Record<string, string>>;

const OWNER_REFERENCE: Texts = {
  apiVersion: 'Group and version of the owner.',
  kind: 'Kind of the owner.',
  name: 'Name of the owner.',
  uid: 'Identity of the owner.',
  controller: 'Whether the owner manages this object; at most one does.',
  blockOwnerDeletion: 'Whether an owner that is deleted in the foreground waits for this object.',
};

const MANAGED_FIELDS_ENTRY: Texts = {
  manager: 'Who owns the fields.',
  operation: 'How they came to be owned: Apply or Update.',
  apiVersion: 'The version in which the fields are named.',
  time: 'When the entry last changed.',
  fieldsType: 'How the fields are written: FieldsV1.',
  fieldsV1: 'The fields, as a tree of their names.',
  subresource: 'The subresource through which they were written, if any.',
};

const OBJECT_META: Texts = {
  name: 'Unique within the namespace and kind; cannot change.',
  generateName: 'Beginning of a name that the server completes where none is given.',
  namespace: 'The namespace that the object is in; cannot change.',
  selfLink: 'No longer in use.',
  uid: 'Identity given by the server: unlike a name, never used again.',
  resourceVersion: 'Changes with every write; compare for equality only.',
  generation: 'Counts changes of what is wanted.',
  creationTimestamp: 'When the object was made; set by the server.',
  deletionTimestamp: 'Since when, or from when on, the object is being deleted; set by the server.',
  deletionGracePeriodSeconds: 'Seconds that were granted for ending in order.',
  labels: 'Texts by which objects are selected.',
  annotations: 'Texts for tools, not for selection.',
  ownerReferences: 'The objects that this one belongs to.',
  finalizers: 'Who must let go before the object can be removed.',
  managedFields: 'Which manager owns which field; kept by the server.',
};

/** Metadata of objects of built-in kinds: the schema that the encodings use, with what people read (semantics B1, F7). */
export const objectMetaSchema: Schema = describe(published, OBJECT_META, {
  creationTimestamp: { alwaysPrinted: true },
  ownerReferences: { items: describe(itemsOf('ownerReferences'), OWNER_REFERENCE) },
  managedFields: { items: describe(itemsOf('managedFields'), MANAGED_FIELDS_ENTRY) },
});

function itemsOf(name: string): Schema {
  const items = published.properties?.[name]?.items;
  if (!items) throw new TypeError(`metadata has no list ${name}`);
  return items;
}

function describe(schema: Schema, texts: Texts, more: Readonly<Record<string, Schema>> = {}): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isTime = field.format === 'date-time';
    const typeName = isTime ? { typeName: 'apimachinery.pkg.apis.meta.v1.Time' } : {};
    return [name, { ...field, ...typeName, description: texts[name] ?? '', ...more[name] }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
