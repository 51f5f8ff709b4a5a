import {
  compareUtf8,
  dns1035LabelErrors,
  type FieldError,
  FieldErrors,
  fieldErrorText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  MAXIMUM_FIELD_ERRORS,
  type ObjectMeta,
  objectMetaSchema,
  parseApiVersion,
  runAtOnce,
  type Schema,
  type Steps,
  type Vocabulary,
  validateObjectMeta,
  validatePathSegment,
} from '@ashlar/core';
import type { ReportStrictFieldError } from '../typed/typed-context.ts';
import { compileTyped } from '../typed/typed-decode.ts';
import { TypedDecodeError } from '../typed/typed-decode-error.ts';
import { printed } from '../validate/value-errors.ts';
import { type Compiled, CompiledSchema } from './compiled-schema.ts';
import { mapItems, mapItemsSteps, mapMembers, mapMembersSteps } from './copy-on-write.ts';
import { isPausePoint, type LargeValues } from './large-values.ts';
import { META_FIELDS, type ReportUnknownField } from './prune.ts';

/** An unset creation time is omitted here, as in all custom objects. */
const metadataCodec = compileTyped({
  ...objectMetaSchema,
  properties: {
    ...objectMetaSchema.properties,
    creationTimestamp: { ...objectMetaSchema.properties?.creationTimestamp, alwaysPrinted: false },
  },
});

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
  const valid = mapMembers(value, (key, member) => (fits({ [key]: member }) ? member : undefined));
  const decoded = decode(valid);
  // another order of members is no change
  return jsonEqual(decoded, valid) ? valid : decoded;
}

/** Of several values of wrong types the first by the names of members is told. */
function decodeMetadata(value: JsonValue, report: ReportStrictFieldError): JsonObject {
  try {
    return metadataCodec.decode(value, report);
  } catch (error) {
    if (error instanceof TypedDecodeError) metadataCodec.decode(withSortedMembers(value, DEPTH), () => {});
    throw error;
  }
}

/** How deep the fields of metadata are nested: in items of lists. What is unknown may be nested deeper. */
const DEPTH = 4;

function withSortedMembers(value: JsonValue, depth: number): JsonValue {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withSortedMembers(item, depth - 1));
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort(compareUtf8);
  return Object.fromEntries(
    names.map((name) => [name, withSortedMembers(value[name] as JsonValue, depth - 1)]),
  );
}

function fits(value: JsonObject): boolean {
  try {
    metadataCodec.decode(value, () => {});
    return true;
  } catch (error) {
    if (error instanceof TypedDecodeError) return false;
    throw error;
  }
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
        return coerceNodeSteps(member, part, placeOf(schema, key, path), coercion, large);
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
  const inside = placeOf(schema, key, path);
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

/** The path of a member: keys of maps stand in brackets. */
function placeOf({ properties = {}, additionalProperties }: Schema, key: string, path: string): string {
  const isKey = typeof additionalProperties === 'object' && !Object.hasOwn(properties, key);
  if (isKey) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function memberSchema({ properties = {}, additionalProperties }: Schema, key: string): Schema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Returns the errors of kinds, versions and metadata of embedded resources, not of the root. */
export function validateEmbedded(value: JsonValue, schema: Schema, path = ''): readonly FieldError[] {
  return runAtOnce(validateEmbeddedSteps(value, schema, path));
}

/** The same, with pauses. */
export function* validateEmbeddedSteps(
  value: JsonValue,
  schema: Schema,
  path = '',
): Steps<readonly FieldError[]> {
  const errors: FieldError[] = [];
  yield* validateNode(value, schema, path, errors);
  return errors;
}

/** Whether a schema is one of an embedded resource, or has such. */
export function hasEmbedded(schema: Schema): Compiled<boolean> {
  return new CompiledSchema(schema, (part, isFoundIn) => {
    const { properties = {}, additionalProperties, items } = part;
    const parts = Object.values(properties);
    if (typeof additionalProperties === 'object') parts.push(additionalProperties);
    if (items) parts.push(items);
    return part.embeddedResource === true || parts.some(isFoundIn);
  });
}

function* validateNode(value: JsonValue, schema: Schema, path: string, errors: FieldError[]): Steps<void> {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return;
    for (let i = 0; i < value.length && errors.length < MAXIMUM_FIELD_ERRORS; i++) {
      const item = value[i] as JsonValue;
      if (isComposite(item)) yield* validateNode(item, items, `${path}[${i}]`, errors);
      if (isPausePoint(item, i)) yield;
    }
  } else if (isJsonObject(value)) yield* validateMembers(value, schema, path, errors);
}

function* validateMembers(
  value: JsonObject,
  schema: Schema,
  path: string,
  errors: FieldError[],
): Steps<void> {
  if (schema.embeddedResource) {
    for (const error of resourceErrors(value, path === '' ? '' : `${path}.`)) errors.push(error);
  }
  for (const [index, key] of Object.keys(value).entries()) {
    if (errors.length >= MAXIMUM_FIELD_ERRORS) return;
    const member = value[key];
    const part = memberSchema(schema, key);
    if (!part || !isComposite(member)) continue;
    yield* validateNode(member, part, placeOf(schema, key, path), errors);
    if (isPausePoint(member, index)) yield;
  }
}

const isComposite = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null;

function resourceErrors(resource: JsonObject, path: string): readonly FieldError[] {
  const missing = ['apiVersion', 'kind'].filter((key) => resource[key] === undefined);
  return [
    ...missing.map((key) => FieldErrors.required(`${path}${key}`, 'must not be empty')),
    ...textErrors(resource.apiVersion, `${path}apiVersion`, (text) =>
      parseApiVersion(text) ? undefined : `unexpected GroupVersion string: ${text}`,
    ),
    ...textErrors(resource.kind, `${path}kind`, (text) => {
      const problems = dns1035LabelErrors(text.toLowerCase());
      return problems.length === 0
        ? undefined
        : `may have mixed case, but should otherwise match: ${problems.join(',')}`;
    }),
    ...metadataErrors(resource.metadata, path),
  ];
}

function textErrors(
  value: JsonValue | undefined,
  path: string,
  faultOf: (text: string) => string | undefined,
): readonly FieldError[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return [FieldErrors.invalid(path, printed(value), 'must be a string')];
  const problem = value === '' ? 'must not be empty' : faultOf(value);
  return problem === undefined ? [] : [FieldErrors.invalid(path, value, problem)];
}

/** Embedded metadata do not depend on the vocabulary. */
const NO_VENDOR: Vocabulary = {
  name: '',
  groupDomain: '',
  labelDomain: '',
  reservedDomains: [],
  protobufMediaType: '',
  extensionPrefix: '',
  schemaPrefix: '',
  protobufPackage: '',
  namespacePrefix: '',
  clientName: '',
  flowControlHeaderPrefix: '',
  execInfoVariable: '',
  approvalPolicy: '',
};

/** Like the metadata of any object, but the name may be missing and need only be a valid path segment. */
function metadataErrors(value: JsonValue | undefined, path: string): readonly FieldError[] {
  if (value === undefined) return [];
  try {
    const metadata = decodeMetadata(value, () => {}) as ObjectMeta;
    const named = { ...metadata, name: metadata.name ?? 'name' };
    const rules = {
      namespaced: metadata.namespace !== undefined,
      validateName: validatePathSegment,
      vocabulary: NO_VENDOR,
    };
    return validateObjectMeta(named, rules).map((error) => ({ ...error, field: `${path}${error.field}` }));
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
    return [FieldErrors.invalid(`${path}metadata`, printed(value), error.message)];
  }
}
