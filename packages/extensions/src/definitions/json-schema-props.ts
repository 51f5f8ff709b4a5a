import type { Schema, Vocabulary } from '@ashlar/core';

const PACKAGE = 'apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** Name of a type of this group in published schemas. */
export const typeNameOf = (type: string): string => `${PACKAGE}.${type}`;

const text = (tag: number): Schema => ({ type: 'string', tag });
const optionalText = (tag: number): Schema => ({ type: 'string', tag, optional: true });
const flag = (tag: number): Schema => ({ type: 'boolean', tag });
const count = (tag: number): Schema => ({ type: 'integer', format: 'int64', tag, optional: true });
const amount = (tag: number): Schema => ({ type: 'number', format: 'double', tag, optional: true });
const texts = (tag: number): Schema => ({
  type: 'array',
  items: { type: 'string', default: '' },
  listType: 'atomic',
  tag,
});

const anyJson: Schema = { format: 'raw-extension', typeName: typeNameOf('JSON') };

const externalDocumentation: Schema = {
  type: 'object',
  typeName: typeNameOf('ExternalDocumentation'),
  properties: { description: text(1), url: text(2) },
};

const RULE_REASONS = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

const validationRule: Schema = {
  type: 'object',
  typeName: typeNameOf('ValidationRule'),
  required: ['rule'],
  properties: {
    rule: { type: 'string', default: '', alwaysPrinted: true, tag: 1 },
    message: text(2),
    messageExpression: text(3),
    reason: { ...optionalText(4), typeName: typeNameOf('FieldValueErrorReason'), enum: RULE_REASONS },
    fieldPath: text(5),
    optionalOldSelf: { type: 'boolean', optional: true, tag: 6 },
  },
};

/** The recursive schema of `openAPIV3Schema`. */
export function jsonSchemaProps(vocabulary: Vocabulary): Schema {
  const properties: Record<string, Schema> = {};
  const self: Schema = { type: 'object', typeName: typeNameOf('JSONSchemaProps'), properties };
  Object.assign(properties, ordinaryKeywords(self), extensionKeywords(vocabulary.extensionPrefix));
  return self;
}

function ordinaryKeywords(self: Schema): Readonly<Record<string, Schema>> {
  const list = (tag: number): Schema => ({ type: 'array', items: self, listType: 'atomic', tag });
  const named = (tag: number): Schema => ({ type: 'object', additionalProperties: self, tag });
  const orBoolean = (tag: number): Schema => ({
    ...schemaOrBoolean(self),
    optional: true,
    bareReference: true,
    tag,
  });
  return {
    id: text(1),
    $schema: { ...text(2), typeName: typeNameOf('JSONSchemaURL') },
    $ref: optionalText(3),
    description: text(4),
    type: text(5),
    format: text(6),
    title: text(7),
    default: { ...anyJson, optional: true, tag: 8 },
    maximum: amount(9),
    exclusiveMaximum: flag(10),
    minimum: amount(11),
    exclusiveMinimum: flag(12),
    maxLength: count(13),
    minLength: count(14),
    pattern: text(15),
    maxItems: count(16),
    minItems: count(17),
    uniqueItems: flag(18),
    multipleOf: amount(19),
    enum: { type: 'array', items: anyJson, listType: 'atomic', tag: 20 },
    maxProperties: count(21),
    minProperties: count(22),
    required: texts(23),
    items: { ...schemaOrList(self), optional: true, tag: 24, bareReference: true },
    allOf: list(25),
    oneOf: list(26),
    anyOf: list(27),
    not: { ...self, optional: true, tag: 28, bareReference: true },
    properties: named(29),
    additionalProperties: orBoolean(30),
    patternProperties: named(31),
    dependencies: { type: 'object', additionalProperties: schemaOrTexts(self), tag: 32 },
    additionalItems: orBoolean(33),
    definitions: named(34),
    externalDocs: { ...externalDocumentation, optional: true, tag: 35, bareReference: true },
    example: { ...anyJson, optional: true, tag: 36, bareReference: true },
    nullable: flag(37),
  };
}

const extensionKeywords = (prefix: string): Readonly<Record<string, Schema>> => ({
  [`${prefix}preserve-unknown-fields`]: { type: 'boolean', optional: true, tag: 38 },
  [`${prefix}embedded-resource`]: flag(39),
  [`${prefix}int-or-string`]: flag(40),
  [`${prefix}list-map-keys`]: texts(41),
  [`${prefix}list-type`]: optionalText(42),
  [`${prefix}map-type`]: optionalText(43),
  [`${prefix}validations`]: {
    type: 'array',
    items: validationRule,
    listType: 'map',
    listMapKeys: ['rule'],
    patchStrategy: 'merge',
    patchMergeKey: 'rule',
    tag: 44,
  },
});

const schemaOrBoolean = (self: Schema): Schema => ({
  typeName: typeNameOf('JSONSchemaPropsOrBool'),
  anyOf: [
    { type: 'boolean', tag: 1 },
    { ...self, tag: 2 },
  ],
});

const schemaOrList = (self: Schema): Schema => ({
  typeName: typeNameOf('JSONSchemaPropsOrArray'),
  anyOf: [
    { ...self, tag: 1 },
    { type: 'array', items: self, tag: 2 },
  ],
});

const schemaOrTexts = (self: Schema): Schema => ({
  typeName: typeNameOf('JSONSchemaPropsOrStringArray'),
  anyOf: [
    { ...self, tag: 1 },
    { type: 'array', items: { type: 'string' }, tag: 2 },
  ],
});
