import {
  apiVersionOf,
  type FieldError,
  FieldErrors,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonTypeError,
  parseApiVersion,
  StatusError,
  type Steps,
} from '@ashlar/core';
import type { ResourceVersion } from '../definition/resource-definition.ts';
import {
  cannotBeHandled,
  type DecodeRequest,
  type Expected,
  reportFindings,
  sortedJsonForMessage,
} from './decode-request.ts';

/**
 * Checks `kind` and `apiVersion` against the endpoint; built-in kinds may omit them. Returns the error of a custom object
 * of another kind.
 * @throws StatusError 400
 */
export function requireIdentity(
  value: JsonValue,
  expected: Expected,
  custom: boolean,
): readonly FieldError[] {
  if (!isJsonObject(value)) throw unrecognized(expected, jsonTypeError(value, 'struct').message);
  if (custom && value.apiVersion === null && value.kind) throw nullVersion(value.kind, expected);
  const [apiVersion, kind] = [textMember(value, 'apiVersion', expected), textMember(value, 'kind', expected)];
  if (custom && kind === '') throw unrecognizedCustom(expected, "Object 'Kind' is missing");
  const expectedVersion = apiVersionOf(expected);
  if (custom && apiVersion !== expectedVersion) throw otherVersion(apiVersion, expected);
  if (apiVersion !== '' && apiVersion !== expectedVersion)
    throw otherBuiltInVersion(kind || expected.kind, apiVersion, expected);
  if (kind === '' || kind === expected.kind) return [];
  if (custom) return [FieldErrors.invalid('kind', kind, `must be ${expected.kind}`)];
  throw StatusError.badRequest(
    `${cannotBeHandled({ kind, version: expected.version }, expected)}: another kind was expected`,
  );
}

/** Whether an object names a kind and another version than that of the endpoint. */
export function isOfOtherVersion(value: JsonValue, expected: Expected): boolean {
  if (!isJsonObject(value) || typeof value.apiVersion !== 'string' || typeof value.kind !== 'string')
    return false;
  return value.kind !== '' && value.apiVersion !== '' && value.apiVersion !== apiVersionOf(expected);
}

/** Returns the error of a custom object without a version. */
function nullVersion(kind: JsonValue, expected: Expected): StatusError {
  const found = { kind: typeof kind === 'string' ? kind : expected.kind, version: '' };
  const why = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';
  return StatusError.badRequest(`${cannotBeHandled(found, expected)}: ${why}`);
}

/** Returns a string member; null and absent ones are empty. */
function textMember(object: JsonObject, name: string, expected: Expected): string {
  const value = object[name] ?? '';
  if (typeof value === 'string') return value;
  throw unrecognized(expected, jsonTypeError(value, 'string', `Go struct field .${name}`).message);
}

/** Returns the errors of a patched custom object of another kind or version. @throws TypeError */
export function patchedIdentityErrors(
  value: JsonObject,
  expected: Expected,
  request: DecodeRequest,
): readonly FieldError[] {
  const expectedVersion = apiVersionOf(expected);
  requireReadableKind(value);
  reportUnknownVersion(value, expected, request);
  const errors: FieldError[] = [];
  if (value.kind !== expected.kind)
    errors.push(FieldErrors.invalid('kind', value.kind, `must be ${expected.kind}`));
  if (value.apiVersion !== expectedVersion)
    errors.push(FieldErrors.invalid('apiVersion', value.apiVersion, `must be ${expectedVersion}`));
  return errors;
}

/**
 * Rejects an object of another kind. Such an object is not checked against the schema, but its rules run.
 * @throws StatusError 422
 */
export function* requireNoErrors(
  errors: readonly FieldError[],
  value: JsonValue,
  { validator, subresources = [] }: ResourceVersion,
): Steps<void> {
  if (errors.length === 0) return;
  // a status with a subresource of its own is not written here
  const hasStatus = subresources.some(({ name }) => name === 'status');
  const { status: _, ...desired } = value as JsonObject;
  const broken = validator ? yield* validator.validateRulesSteps(hasStatus ? desired : value) : [];
  throw otherKind([...errors, ...broken], value as JsonObject);
}

/** @throws TypeError if the kind or version of a patched object are missing or not text, or the version has several slashes */
function requireReadableKind(value: JsonObject): void {
  requireTextualKind(value);
  const { kind } = value;
  if (!kind) throw new TypeError(`Object 'Kind' is missing in '${sortedJsonForMessage(value)}'`);
}

/** @throws TypeError if kind or version are given but not text, or the version has several slashes */
function requireTextualKind({ kind, apiVersion }: JsonObject): void {
  for (const [name, member] of Object.entries({ kind, apiVersion })) {
    if (member === undefined || member === null || typeof member === 'string') continue;
    const { message } = jsonTypeError(member, 'string', `Go struct field .${name}`);
    throw new TypeError(unreadableKind(message));
  }
  if (typeof apiVersion === 'string' && !parseApiVersion(apiVersion))
    throw new TypeError(`unexpected GroupVersion string: ${apiVersion}`);
}

/** Reports all fields of an object that a patch moved to an unknown version as unknown. */
function reportUnknownVersion(value: JsonObject, expected: Expected, request: DecodeRequest): void {
  const { kind, apiVersion } = value;
  const isOther =
    apiVersion !== apiVersionOf(expected) && String(apiVersion).startsWith(`${expected.group}/`);
  if (kind !== expected.kind || !isOther) return;
  const unknown = Object.keys(value).filter((name) => !META_FIELDS.has(name));
  reportFindings(
    expected,
    unknown.sort().map((name) => `unknown field ${goQuote(name)}`),
    request,
  );
}

const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Patched objects of built-in kinds may lose kind and version, but not change them. @throws TypeError */
export function requireOptionalIdentity(
  value: JsonObject,
  expected: Expected,
  expectedVersion: string,
): void {
  requireTextualKind(value);
  const { kind, apiVersion } = value;
  const own = (!kind || kind === expected.kind) && (!apiVersion || apiVersion === expectedVersion);
  if (!own) throw new TypeError(`the patched object is not a ${expected.kind} of ${expectedVersion}`);
}

/** Prefix of errors of a text whose kind cannot be read. */
export const unreadableKind = (why: string): string => `couldn't get version/kind; json parse error: ${why}`;

function unrecognized({ kind }: Expected, why: string): StatusError {
  return StatusError.badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${unreadableKind(why)}`,
  );
}

function unrecognizedCustom({ kind }: Expected, why: string): StatusError {
  return StatusError.badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
}

function otherVersion(apiVersion: string, expected: Expected): StatusError {
  const expectedVersion = apiVersionOf(expected);
  return StatusError.badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${expectedVersion})`,
  );
}

function otherBuiltInVersion(kind: string, apiVersion: string, expected: Expected): StatusError {
  const slash = apiVersion.lastIndexOf('/');
  const found = { kind, version: apiVersion.slice(slash + 1) };
  const isOwnGroup = apiVersion.slice(0, Math.max(slash, 0)) === expected.group;
  if (isOwnGroup && expected.versions?.includes(found.version)) return otherVersion(apiVersion, expected);
  return StatusError.badRequest(
    `${cannotBeHandled(found, expected)}: no such kind is known in ${goQuote(apiVersion)}`,
  );
}

function otherKind(errors: readonly FieldError[], value: JsonObject): StatusError {
  const { group = '' } = parseApiVersion(String(value.apiVersion ?? '')) ?? {};
  const kind = String(value.kind);
  const metadata = isJsonObject(value.metadata) ? value.metadata : {};
  return StatusError.invalid(group, kind, typeof metadata.name === 'string' ? metadata.name : '', errors);
}

/** ` "" is invalid: patch: …`: without kind and name (semantics/patches#errors). */
