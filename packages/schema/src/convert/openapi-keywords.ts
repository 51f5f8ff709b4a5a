import type { Schema, Vocabulary } from '@ashlar/core';

/** Type of a keyword's value. */
export type KeywordShape =
  | 'text'
  | 'texts'
  | 'number'
  | 'flag'
  | 'value'
  | 'values'
  | 'schema'
  | 'schemas'
  | 'properties'
  | 'schemaOrFlag'
  | 'rules';

/** Members of a schema with the same name in OpenAPI. */
const STANDARD: Readonly<Record<string, KeywordShape>> = {
  type: 'text',
  format: 'text',
  title: 'text',
  description: 'text',
  nullable: 'flag',
  default: 'value',
  enum: 'values',
  properties: 'properties',
  required: 'texts',
  additionalProperties: 'schemaOrFlag',
  items: 'schema',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'flag',
  exclusiveMaximum: 'flag',
  multipleOf: 'number',
  minLength: 'number',
  maxLength: 'number',
  pattern: 'text',
  minItems: 'number',
  maxItems: 'number',
  uniqueItems: 'flag',
  minProperties: 'number',
  maxProperties: 'number',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
};

/** Members that are vendor extensions on the wire; the key is their name after the prefix. */
const EXTENSIONS: Readonly<Record<string, readonly [member: keyof Schema, shape: KeywordShape]>> = {
  'preserve-unknown-fields': ['preserveUnknownFields', 'flag'],
  'embedded-resource': ['embeddedResource', 'flag'],
  'int-or-string': ['intOrString', 'flag'],
  'list-type': ['listType', 'text'],
  'list-map-keys': ['listMapKeys', 'texts'],
  'map-type': ['mapType', 'text'],
  validations: ['validations', 'rules'],
  unions: ['unions', 'values'],
  'patch-strategy': ['patchStrategy', 'text'],
  'patch-merge-key': ['patchMergeKey', 'text'],
};

/** A keyword of OpenAPI and the corresponding member of a schema. */
export interface Keyword {
  readonly keyword: string;
  readonly member: keyof Schema;
  readonly shape: KeywordShape;
}

/** The keywords that schemas have, with the vendor's extensions under its prefix. */
export function openApiKeywords(vocabulary: Vocabulary): readonly Keyword[] {
  const standard = Object.entries(STANDARD).map(
    ([keyword, shape]): Keyword => ({ keyword, member: keyword as keyof Schema, shape }),
  );
  const extensions = Object.entries(EXTENSIONS).map(
    ([name, [member, shape]]): Keyword => ({ keyword: vocabulary.extensionPrefix + name, member, shape }),
  );
  return [...standard, ...extensions];
}
