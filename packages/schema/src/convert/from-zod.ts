import { isJsonObject, type JsonObject, type JsonValue, type Schema, setMember } from '@ashlar/core';
import { readZodType } from './zod-json.ts';
import type { ZodReading } from './zod-reading.ts';
import { refusal } from './zod-refusal.ts';
import type { ZodSchema } from './zod-type.ts';
import { isNull, unionSchema } from './zod-union.ts';
import { validateWithZod, type ZodVerdict } from './zod-verdict.ts';

/** A type of zod: its schema, and what only zod can do. */
export interface ZodKind {
  /** What is published of it. */
  readonly schema: Schema;
  /** The same with bounds that go without saying: those of JavaScript's integers. */
  readonly exactSchema: Schema;
  /** Whether values that fit the schema may be invalid all the same. */
  readonly hasFurtherChecks: boolean;
  /** Whether zod changes values: `.trim()`, `.default(() => …)`. */
  readonly changesValues: boolean;
  /** @throws TypeError where a refinement is async; what a refinement throws */
  validate(value: unknown): ZodVerdict;
}

/**
 * The structural schema of what a zod type takes as input (zod 4, also its mini form): descriptions, defaults, enumerations,
 * bounds, patterns, optional members, records, unions. `z.looseObject` and `z.unknown` keep unknown fields; a union of integer
 * and string is int-or-string; the alternatives of a discriminated union become checks. What only code can check or change
 * (`refine`, `trim`) is not part of it: {@link readZod} gives that, too. The extensions of a schema are given as metadata:
 * `z.array(item).meta({ listType: 'map', listMapKeys: ['name'] })`.
 *
 * Patterns are in JavaScript's syntax there and are rewritten to RE2's, which runs in linear time. It takes every character as one, as
 * JavaScript does with the flag `u`, and `\s` as the white space of ASCII only; what it has not, such as look-around, is rejected when
 * the schema is compiled.
 *
 * @throws TypeError that names the path, for what a structural schema cannot express
 * @example
 * const schema = fromZod(z.object({ replicas: z.int().min(0).default(1), image: z.string().describe('What
 * runs.') }));
 * // { type: 'object', properties: { replicas: { type: 'integer', minimum: 0, default: 1 }, … }, required:
 * ['image'] }
 */
export function fromZod(type: ZodSchema): Schema {
  return readSchema(readingOf(type, false).json, '');
}

/**
 * A type of zod with all that it says: what no schema can express is asked of zod.
 * @throws TypeError as {@link fromZod}
 */
export function readZod(type: ZodSchema): ZodKind {
  const { json, reading } = readingOf(type, true);
  return {
    schema: fromZod(type),
    exactSchema: readSchema(json, ''),
    hasFurtherChecks: reading.needsZod,
    changesValues: reading.changesValues,
    validate: (value) => validateWithZod(type, value),
  };
}

function readingOf(
  type: ZodSchema,
  safeBounds: boolean,
): { readonly json: JsonObject; readonly reading: ZodReading } {
  const reading: ZodReading = {
    safeBounds,
    around: new Set(),
    needsZod: false,
    changesValues: false,
    read: (part, path) => readZodType(part, path, reading),
  };
  return { json: readZodType(type, '', reading), reading };
}

/** Keywords that schemas have too, and the extensions in metadata. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'nullable',
  'enum',
  'required',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'preserveUnknownFields',
  'embeddedResource',
  'intOrString',
  'listType',
  'listMapKeys',
  'mapType',
  'validations',
  'patchStrategy',
  'patchMergeKey',
]);
/** Keywords that are redundant. */
const IGNORED: ReadonlySet<string> = new Set([
  'examples',
  'readOnly',
  'writeOnly',
  'deprecated',
  'contentEncoding',
]);

/** Converts the JSON schema of zod; `path` is the path of the value. */
function readSchema(json: JsonObject, path: string): Schema {
  const schema: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(json)) {
    if (SCHEMA_KEYWORDS.has(keyword)) schema[keyword] = value;
    else if (value !== undefined) Object.assign(schema, readKeyword(keyword, value, json, path));
  }
  if (isNull(json)) throw refusal(path, 'null alone cannot be expressed');
  const isAnything = json.type === undefined && Object.keys(schema).every((key) => DESCRIBING.has(key));
  if (isAnything && !hasUnion(json)) return { ...schema, preserveUnknownFields: true };
  return withNullableEnum(schema as Schema);
}

/** Null is never among enumerated values; parts of combinations are not asked about it. */
function withNullableEnum({ enum: values, ...schema }: Schema): Schema {
  if (!values) return schema;
  if (!schema.nullable) return { ...schema, enum: values };
  return { ...schema, allOf: [...(schema.allOf ?? []), { enum: values.filter((value) => value !== null) }] };
}

const DESCRIBING: ReadonlySet<string> = new Set(['title', 'description', 'default', 'nullable']);

const hasUnion = (json: JsonObject): boolean => json.anyOf !== undefined || json.oneOf !== undefined;

function readKeyword(keyword: string, value: JsonValue, json: JsonObject, path: string): Schema {
  switch (keyword) {
    case 'default':
      return value === null ? {} : { default: value };
    case 'properties':
      return { properties: readProperties(value as JsonObject, path) };
    case 'items':
      return { items: readSchema(value as JsonObject, `${path}[]`) };
    case 'additionalProperties':
      return readAdditional(value, json, path);
    case 'anyOf':
    case 'oneOf':
      return unionSchema(keyword, value as readonly JsonObject[], path, readSchema);
    case 'allOf':
      return {
        allOf: value as readonly Schema[],
      };
    default:
      if (IGNORED.has(keyword)) return {};
      throw refusal(path, `${keyword} cannot be expressed`);
  }
}

function readProperties(value: JsonObject, path: string): Readonly<Record<string, Schema>> {
  const properties: Record<string, Schema> = {};
  for (const [name, part] of Object.entries(value)) {
    setMember(properties, name, readSchema(part as JsonObject, path === '' ? name : `${path}.${name}`));
  }
  return properties;
}

function readAdditional(value: JsonValue, json: JsonObject, path: string): Schema {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return { preserveUnknownFields: true };
  const properties = json.properties;
  if (properties !== undefined && isJsonObject(properties) && Object.keys(properties).length > 0) {
    throw refusal(path, 'members besides the declared ones cannot have a type of their own');
  }
  return { additionalProperties: readSchema(value, `${path}{}`) };
}
