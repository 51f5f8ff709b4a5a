import { type FieldError, FieldErrors, isJsonObject, type JsonValue, type Vocabulary } from '@ashlar/core';
import { defaultErrors } from './default-check.ts';
import { fromOpenApiLeniently } from './from-openapi.ts';
import { keywordErrors } from './keyword-check.ts';
import { type CompilePattern, compileLinearPattern } from './pattern.ts';
import { SchemaDocument } from './schema-document.ts';
import { completenessErrors } from './structural-completeness.ts';
import { structuralErrors } from './structural-invariants.ts';

/** How to check a schema. */
export interface StructuralCheckOptions {
  /** Whose prefix vendor extensions have. */
  readonly vocabulary: Vocabulary;
  /** Where the schema stands: `spec.versions[0].schema.openAPIV3Schema`. */
  readonly path: string;
  /** Whether the version has the status subresource, which forbids some keywords at the root. */
  readonly statusSubresource?: boolean;
  /** Compiles `pattern`; default {@link compileLinearPattern}. */
  readonly compilePattern?: CompilePattern;
}

/**
 * What is wrong with a schema of users' objects: it must be structural, use supported keywords only and have valid defaults
 * (semantics H2). Of rules (`x-…-validations`) all but the expressions is looked at. Errors come in no certain order.
 *
 * @example
 * checkStructuralSchema({ type: 'array', items: { type: 'string' } }, { vocabulary, path: 'schema' });
 * // schema.type: Invalid value: "array": must be object at the root
 */
export function checkStructuralSchema(
  schema: JsonValue,
  options: StructuralCheckOptions,
): readonly FieldError[] {
  const { path, vocabulary } = options;
  if (!isJsonObject(schema)) return [FieldErrors.invalid(path, schema, 'must be an object')];
  const document = new SchemaDocument(schema, vocabulary);
  const errors = [
    ...(options.statusSubresource ? statusErrors(document, path) : []),
    ...(document.flag('nullable')
      ? [FieldErrors.forbidden(`${path}.nullable`, 'nullable cannot be true at the root')]
      : []),
    ...(isReadable(document) ? shapeErrors(document, options) : []),
    ...keywordErrors(document, path, vocabulary),
  ];
  if (errors.length > 0 || !namesSchema(document)) return errors;
  return [FieldErrors.invalid(path, '', "OpenAPIV3Schema 'schema' is not supported")];
}

/** Whether a schema has a shape at all: keywords that are not supported hide it. */
const isReadable = (document: SchemaDocument): boolean => unreadable(document) === undefined;

/** Whether the one thing that keeps a schema from having a shape is `$schema`, which no other check tells of. */
const namesSchema = (document: SchemaDocument): boolean => unreadable(document) === '$schema';

function unreadable(document: SchemaDocument): string | undefined {
  const own = OPAQUE.find((keyword) => isOpaque(document, keyword));
  if (own) return own;
  if (document.json[document.extension('preserve-unknown-fields')] === false)
    return 'preserve-unknown-fields';
  for (const part of partsOf(document)) {
    const inside = unreadable(part);
    if (inside) return inside;
  }
  return undefined;
}

const OPAQUE = [
  'id',
  '$schema',
  '$ref',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
  'items',
];

function isOpaque(document: SchemaDocument, keyword: string): boolean {
  const value = document.json[keyword];
  if (value === undefined || value === null) return false;
  if (keyword === 'items') return Array.isArray(value) && value.length > 0;
  if (keyword === 'additionalItems') return true;
  if (typeof value === 'string') return value !== '';
  return typeof value === 'object' && Object.keys(value).length > 0;
}

function partsOf(document: SchemaDocument): readonly SchemaDocument[] {
  const single = ['not', 'items', 'additionalProperties'].map((keyword) => document.schema(keyword));
  return [
    ...single.filter((part) => part !== undefined),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => document.schemas(keyword)),
    ...document.named('properties').values(),
  ];
}

/** Defaults are judged by a schema that is structural only. */
function shapeErrors(document: SchemaDocument, options: StructuralCheckOptions): readonly FieldError[] {
  const { path, vocabulary, compilePattern = compileLinearPattern } = options;
  const errors = [...structuralErrors(document, path, compilePattern), ...completenessErrors(document, path)];
  if (errors.length > 0) return errors;
  const schema = fromOpenApiLeniently(document.json, vocabulary);
  return defaultErrors(schema, path, compilePattern);
}

/** Keywords that may stand at the root beside a status subresource, under the names that the error gives them. */
const BESIDE_STATUS: ReadonlyMap<string, string> = new Map([
  ['description', 'Description'],
  ['type', 'Type'],
  ['format', 'Format'],
  ['title', 'Title'],
  ['maximum', 'Maximum'],
  ['exclusiveMaximum', 'ExclusiveMaximum'],
  ['minimum', 'Minimum'],
  ['exclusiveMinimum', 'ExclusiveMinimum'],
  ['maxLength', 'MaxLength'],
  ['minLength', 'MinLength'],
  ['pattern', 'Pattern'],
  ['maxItems', 'MaxItems'],
  ['minItems', 'MinItems'],
  ['uniqueItems', 'UniqueItems'],
  ['multipleOf', 'MultipleOf'],
  ['required', 'Required'],
  ['items', 'Items'],
  ['properties', 'Properties'],
  ['externalDocs', 'ExternalDocs'],
  ['example', 'Example'],
  ['preserve-unknown-fields', 'XPreserveUnknownFields'],
  ['validations', 'XValidations'],
]);
/** Keywords that are looked at before the type. */
const BEFORE_TYPE = ['id', '$schema', '$ref'];

function statusErrors(document: SchemaDocument, path: string): readonly FieldError[] {
  const allowed = new Set([...BESIDE_STATUS.keys()].flatMap((name) => [name, document.extension(name)]));
  const given = document.keywords();
  const type = document.text('type');
  if (type !== '' && type !== 'object' && !given.some((keyword) => BEFORE_TYPE.includes(keyword))) {
    const text =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [FieldErrors.invalid(`${path}.type`, type, text)];
  }
  if (given.every((keyword) => allowed.has(keyword))) return [];
  const names = [...BESIDE_STATUS.values()].join(' ');
  const text = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [FieldErrors.invalid(path, document.json, text)];
}
