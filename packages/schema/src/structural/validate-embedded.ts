import {
  dns1035LabelErrors,
  type FieldError,
  FieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAXIMUM_FIELD_ERRORS,
  type ObjectMeta,
  parseApiVersion,
  runAtOnce,
  type Schema,
  type Steps,
  type Vocabulary,
  validateObjectMeta,
  validatePathSegment,
} from '@ashlar/core';
import { TypedDecodeError } from '../typed/typed-decode-error.ts';
import { printed } from '../validate/value-errors.ts';
import { type Compiled, CompiledSchema } from './compiled-schema.ts';
import { decodeMetadata } from './decode-metadata.ts';
import { isPausePoint } from './large-values.ts';
import { memberPlace, memberSchema } from './member-schema.ts';

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
    yield* validateNode(member, part, memberPlace(schema, key, path), errors);
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
