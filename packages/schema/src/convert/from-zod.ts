import { isJsonObject, type JsonObject, type JsonValue, type Schema, setMember } from '@ashlar/core';
import { $ZodRegistry, type $ZodType, globalRegistry, toJSONSchema } from 'zod/v4/core';
import { formatCheck } from '../formats/string-formats.ts';
import { rewritePatterns } from './zod-pattern.ts';
import { refusal } from './zod-refusal.ts';
import { checksOf, isNull, unionSchema } from './zod-union.ts';

/**
 * The structural schema of what a zod type takes as input (zod 4, also its mini form): descriptions, defaults, enumerations,
 * bounds, patterns, optional members, records, unions. `z.looseObject` and `z.unknown` keep unknown fields; a union of integer
 * and string is int-or-string; the alternatives of a discriminated union become checks. Checks that only code can make
 * (`refine`, `transform`) are not part of it. The extensions of a schema are given as metadata:
 * `z.array(item).meta({ listType: 'map', listMapKeys: ['name'] })`.
 *
 * Patterns are in JavaScript's syntax there and are rewritten to RE2's, where `\s` and `.` mean the white space and line ends of
 * ASCII only; what RE2 has not, such as look-around, is rejected when the schema is compiled.
 *
 * @throws TypeError that names the path, for what a structural schema cannot express
 * @example
 * const schema = fromZod(z.object({ replicas: z.int().min(0).default(1), image: z.string().describe('What runs.') }));
 * // { type: 'object', properties: { replicas: { type: 'integer', minimum: 0, default: 1 }, … }, required: ['image'] }
 */
export function fromZod(type: $ZodType): Schema {
  return readSchema(jsonSchemaOf(type), '');
}

/** Names of types would turn them into references; all else that registered metadata say is kept. */
class AnonymousRegistry extends $ZodRegistry<Record<string, unknown>> {
  override get<T extends $ZodType>(type: T): ReturnType<$ZodRegistry<Record<string, unknown>>['get']> {
    const { id: _, ...metadata } = (globalRegistry.get(type) ?? {}) as Record<string, unknown>;
    return metadata;
  }

  override has(type: $ZodType): boolean {
    return globalRegistry.has(type);
  }
}

function jsonSchemaOf(type: $ZodType): JsonObject {
  try {
    return toJSONSchema(type, {
      io: 'input',
      target: 'openapi-3.0',
      cycles: 'throw',
      reused: 'inline',
      metadata: new AnonymousRegistry(),
      unrepresentable: ({ path, message }) => {
        throw refusal(pathText(path), message);
      },
      override: ({ zodSchema, jsonSchema, path }) => {
        if (zodSchema._zod.def.type === 'tuple') throw refusal(pathText(path), 'a tuple cannot be expressed');
        rewritePatterns(zodSchema, jsonSchema);
      },
    }) as unknown as JsonObject;
  } catch (error) {
    if (error instanceof TypeError) throw error;
    const [message = '', cycle] =
      /^Cycle detected: #\/?(.*?)\/?(?:<root>)?$/m.exec((error as Error).message) ?? [];
    if (cycle !== undefined) throw refusal(pathText(cycle.split('/')), 'a type must not contain itself');
    throw new TypeError(message || (error as Error).message, { cause: error });
  }
}

/** The way through a JSON schema as the way through values. */
function pathText(steps: readonly (string | number)[]): string {
  let text = '';
  for (let i = 0; i < steps.length; i++) {
    const step = String(steps[i]);
    if (step === 'properties') text += text === '' ? String(steps[++i]) : `.${steps[++i]}`;
    else if (step === 'items') text += '[]';
    else if (step === 'additionalProperties') text += '{}';
  }
  return text;
}

/** Keywords that schemas have too, and the extensions that metadata may give. */
const KEPT: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'nullable',
  'enum',
  'required',
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
/** Keywords that say nothing about a value that is not said otherwise. */
const IGNORED: ReadonlySet<string> = new Set([
  'examples',
  'readOnly',
  'writeOnly',
  'deprecated',
  'contentEncoding',
]);

/** Converts the JSON schema that zod wrote; `path` is the path of the value. */
function readSchema(json: JsonObject, path: string): Schema {
  const schema: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(json)) {
    if (KEPT.has(keyword)) schema[keyword] = value;
    else if (value !== undefined) Object.assign(schema, readKeyword(keyword, value, json, path));
  }
  if (isNull(json)) throw refusal(path, 'null alone cannot be expressed');
  if (json.type === undefined && json.enum !== undefined) {
    throw refusal(path, 'values of several types cannot be enumerated');
  }
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
    case 'format':
      return formatOf(value as string, json);
    case 'default':
      return value === null ? {} : { default: value };
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return isNoBound(keyword, json) ? {} : { [keyword]: value };
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
        allOf: (value as readonly JsonObject[]).map((part) =>
          checksOf(readSchema(part, path), json.type, path),
        ),
      };
    default:
      if (IGNORED.has(keyword)) return {};
      throw refusal(path, keyword === 'not' ? 'no value is allowed' : `${keyword} cannot be expressed`);
  }
}

/** Formats that zod expresses by a pattern only, such as `starts_with`, are not formats of the API. */
const formatOf = (format: string, json: JsonObject): Schema =>
  formatCheck(format) || json.pattern === undefined ? { format } : {};

/** Every zod number has the bounds of JavaScript's, which say nothing about the kind. */
function isNoBound(keyword: string, json: JsonObject): boolean {
  const bound = keyword.endsWith('inimum') ? json.minimum : json.maximum;
  if (typeof bound !== 'number') return true;
  return Math.abs(bound) === (json.type === 'integer' ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE);
}

function readProperties(value: JsonObject, path: string): Readonly<Record<string, Schema>> {
  const properties: Record<string, Schema> = {};
  for (const [name, part] of Object.entries(value)) {
    setMember(properties, name, readSchema(part as JsonObject, path === '' ? name : `${path}.${name}`));
  }
  return properties;
}

function readAdditional(value: JsonValue, json: JsonObject, path: string): Schema {
  // Strict objects need nothing: fields that are not declared are unknown anyway.
  if (value === false) return {};
  if (!isJsonObject(value) || Object.keys(value).length === 0) return { preserveUnknownFields: true };
  const properties = json.properties;
  if (properties !== undefined && isJsonObject(properties) && Object.keys(properties).length > 0) {
    throw refusal(path, 'members besides the declared ones cannot have a type of their own');
  }
  return { additionalProperties: readSchema(value, `${path}{}`) };
}
