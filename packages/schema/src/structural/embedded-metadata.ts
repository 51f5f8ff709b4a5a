import {
  type FieldError,
  FieldErrors,
  fieldErrorText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type Schema,
  type Steps,
} from '@ashlar/core';
import { TypedDecodeError } from '../typed/typed-decode-error.ts';
import { printed } from '../validate/value-errors.ts';
import { mapItems, mapItemsSteps, mapMembers, mapMembersSteps } from './copy-on-write.ts';
import { decodeMetadata, fitsMetadata } from './decode-metadata.ts';
import type { LargeValues } from './large-values.ts';
import { memberPlace, memberSchema } from './member-schema.ts';
import { META_FIELDS, type ReportUnknownField } from './prune.ts';

/** A value of a wrong type in an embedded resource. */
export class EmbeddedMetadataError extends TypedDecodeError {
  override readonly name: string = 'EmbeddedMetadataError';
  readonly fieldError: FieldError;

  constructor(path: string, value: JsonValue, why: string) {
    const fieldError = FieldErrors.invalid(path, printed(value), why);
    super(fieldErrorText(fieldError));
    this.fieldError = fieldError;
  }
}

/** Treatment of metadata whose values are of a wrong type. */
export interface CoerceOptions {
  /** Drop invalid fields, as for objects read from the store; otherwise an error is thrown. */
  readonly dropInvalid?: boolean;
  /** Leave invalid parts of embedded resources as they are: validation refuses them. */
  readonly keepInvalid?: boolean;
}

/**
 * Coerces the object's own metadata: unknown fields are dropped and reported (`metadata.foo`), values
 * normalised (semantics/schemas#order).
 * @throws TypedDecodeError if metadata have a wrong type
 */
export function coerceRootMetadata(
  object: JsonObject,
  report: ReportUnknownField,
  options: CoerceOptions = {},
): JsonObject {
  return mapMembers(object, (key, value) => {
    if (key !== 'metadata') return value;
    const unknown: string[] = [];
    const metadata = coerceMetadata(value, 'metadata', unknown, options);
    unknown.sort().forEach(report);
    return metadata;
  });
}

function coerceMetadata(
  value: JsonValue,
  path: string,
  unknown: string[],
  { dropInvalid = false }: CoerceOptions,
): JsonValue {
  const decode = (part: JsonValue): JsonObject =>
    decodeMetadata(part, (error) => unknown.push(`${path}.${error.path}`));
  if (!dropInvalid) return decode(value);
  if (!isJsonObject(value)) return {};
  const valid = mapMembers(value, (key, member) => (fitsMetadata({ [key]: member }) ? member : undefined));
  const decoded = decode(valid);
  // another order of members is no change
  return jsonEqual(decoded, valid) ? valid : decoded;
}

/**
 * Coerces the metadata of embedded resources, not of the root (semantics/schemas#order).
 * @throws TypedDecodeError `spec.template.metadata: Invalid value: …` if they have a wrong type
 */
export function coerceEmbedded(
  value: JsonValue,
  schema: Schema,
  report: ReportUnknownField,
  options: CoerceOptions = {},
  path = '',
): JsonValue {
  const unknown: string[] = [];
  const coerced = coerceNode(value, schema, path, { unknown, options });
  for (const path of unknown.sort()) report(path);
  return coerced;
}

/** Like `coerceEmbedded`, of a value with known large parts, with pauses. */
export function* coerceEmbeddedSteps(
  value: JsonValue,
  schema: Schema,
  report: ReportUnknownField,
  options: CoerceOptions,
  large: LargeValues,
): Steps<JsonValue> {
  const unknown: string[] = [];
  const coercion: Coercion = { unknown, options };
  const coerced = large.has(value)
    ? yield* coerceNodeSteps(value, schema, '', coercion, large)
    : coerceNode(value, schema, '', coercion);
  for (const path of unknown.sort()) report(path);
  return coerced;
}

interface Coercion {
  readonly unknown: string[];
  readonly options: CoerceOptions;
}

function coerceNode(value: JsonValue, schema: Schema, path: string, coercion: Coercion): JsonValue {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? mapItems(value, (item, i) => coerceNode(item, items, `${path}[${i}]`, coercion)) : value;
  }
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (key, member) => coerceMember(schema, key, member, path, coercion));
}

/** The same for a large value. */
function coerceNodeSteps(
  value: JsonValue,
  schema: Schema,
  path: string,
  coercion: Coercion,
  large: LargeValues,
): Steps<JsonValue> {
  if (isJsonObject(value)) {
    return mapMembersSteps(
      value,
      (key, member) => coerceMember(schema, key, member, path, coercion),
      (key, member) => {
        const part = memberSchema(schema, key);
        // The fields of every object are coerced without a pause.
        const isOwn = schema.embeddedResource && META_FIELDS.has(key);
        if (!part || isOwn || !large.has(member)) return undefined;
        return coerceNodeSteps(member, part, memberPlace(schema, key, path), coercion, large);
      },
    );
  }
  const { items = {} } = schema;
  return mapItemsSteps(
    value as readonly JsonValue[],
    (item, i) => coerceNode(item, items, `${path}[${i}]`, coercion),
    (i, item) =>
      large.has(item) ? coerceNodeSteps(item, items, `${path}[${i}]`, coercion, large) : undefined,
  );
}

function coerceMember(
  schema: Schema,
  key: string,
  member: JsonValue,
  path: string,
  coercion: Coercion,
): JsonValue | undefined {
  const inside = memberPlace(schema, key, path);
  const part = memberSchema(schema, key);
  const isOwn = schema.embeddedResource && !(member === null && staysNull(part, coercion.options));
  const own = isOwn ? coerceOwn(key, member, inside, part, coercion) : member;
  return part && own !== undefined ? coerceNode(own, part, inside, coercion) : own;
}

/** Whether a declared part that is null stays so, for its default, which is filled in before metadata are read, or for validation. */
const staysNull = (part: Schema | undefined, { dropInvalid }: CoerceOptions): boolean =>
  part !== undefined && part.nullable !== true && dropInvalid !== true;

function coerceOwn(
  key: string,
  value: JsonValue,
  path: string,
  part: Schema | undefined,
  coercion: Coercion,
): JsonValue | undefined {
  const { dropInvalid, keepInvalid } = coercion.options;
  if (key === 'metadata') return coerceDeclared(value, path, part, coercion);
  if ((key !== 'apiVersion' && key !== 'kind') || typeof value === 'string') return value;
  if (dropInvalid) return undefined;
  if (keepInvalid) return value;
  throw new EmbeddedMetadataError(path, value, 'must be a string');
}

/** What the schema says of metadata comes first: nulls that it does not take are gone before, or wait for validation. */
function coerceDeclared(
  value: JsonValue,
  path: string,
  part: Schema | undefined,
  { unknown, options }: Coercion,
): JsonValue {
  const declared = part ? withoutNulls(value, part) : value;
  if (options.keepInvalid && declared !== value) return value;
  try {
    return coerceMetadata(declared, path, unknown, options);
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
    if (options.keepInvalid) return value;
    throw new EmbeddedMetadataError(path, declared, error.message);
  }
}

/** Drops the members that are null where the schema has neither nulls nor a default. */
function withoutNulls(value: JsonValue, schema: Schema): JsonValue {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? mapItems(value, (item) => withoutNulls(item, items)) : value;
  }
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (key, member) => {
    const part = memberSchema(schema, key);
    if (!part) return member;
    const isDropped = member === null && part.nullable !== true && (part.default ?? null) === null;
    return isDropped ? undefined : withoutNulls(member, part);
  });
}
