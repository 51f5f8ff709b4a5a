import {
  apiVersionOf,
  declaredKind,
  type FieldError,
  FieldErrors,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonTypeError,
  notAnObject,
  type ObjectMeta,
  parseApiVersion,
  StatusError,
} from '@ashlar/core';
import { cannotBeHandled, type Expected, sortedJsonForMessage } from './decode-request.ts';

/**
 * Checks `kind` and `apiVersion` of an object of a built-in kind against the endpoint; both may be omitted.
 * @throws StatusError 400
 */
export function requireIdentity(value: JsonValue, expected: Expected): void {
  const { apiVersion, kind } = declaredIdentity(value, expected);
  const isOwn = apiVersion === apiVersionOf(expected) || expected.equalVersions?.includes(apiVersion);
  if (apiVersion !== '' && !isOwn) throw otherBuiltInVersion(kind || expected.kind, apiVersion, expected);
  if (kind === '' || kind === expected.kind) return;
  const { version } = (apiVersion !== '' && parseApiVersion(apiVersion)) || expected;
  throw StatusError.badRequest(`${cannotBeHandled({ kind, version }, expected)}: another kind was expected`);
}

/** The kind and version of an object that need not be those of its endpoint. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Returns kind and version of a custom object, which must name both.
 * @throws StatusError 400
 */
export function requireNamedIdentity(value: JsonValue, expected: Expected): Identity {
  if (isJsonObject(value) && value.apiVersion === null && value.kind) throw nullVersion(value.kind, expected);
  const identity = declaredIdentity(value, expected);
  if (identity.kind === '') throw unrecognizedCustom(expected, "Object 'Kind' is missing");
  return identity;
}

function declaredIdentity(value: JsonValue, expected: Expected): Identity {
  if (!isJsonObject(value)) throw unrecognized(expected, notAnObject(value));
  const apiVersion = textMember(value, 'apiVersion', expected);
  return { apiVersion, kind: textMember(value, 'kind', expected) };
}

/** Whether an object is not of the kind and version of its endpoint. */
export function isOfOtherKind({ apiVersion, kind }: Identity, expected: Expected): boolean {
  return kind !== expected.kind || apiVersion !== apiVersionOf(expected);
}

/** Checks that a custom object that was sent is of the version of its endpoint. @throws StatusError 400 */
export function requireOwnVersion({ apiVersion }: Identity, expected: Expected): void {
  if (apiVersion !== apiVersionOf(expected)) throw otherVersion(apiVersion, expected);
}

/** Returns the error of a custom object without a version. */
function nullVersion(kind: JsonValue, expected: Expected): StatusError {
  const found = { kind: typeof kind === 'string' ? kind : expected.kind, version: '' };
  return StatusError.badRequest(`${cannotBeHandled(found, expected)}: ${NULL_VERSION}`);
}

/** The error of a custom object without a version. */
export const MISSING_VERSION = "Object 'apiVersion' is missing in 'object has no apiVersion field'";

const NULL_VERSION = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';

/** Returns a string member; null and absent ones are empty. */
function textMember(object: JsonObject, name: string, expected: Expected): string {
  const value = object[name] ?? '';
  if (typeof value === 'string') return value;
  throw unrecognized(expected, jsonTypeError(value, 'string', `Go struct field .${name}`).message);
}

/** Returns the error of a custom object of another kind or version, with the errors of its rules and those that were found before. */
export function otherKind(
  object: Identity & { readonly metadata: ObjectMeta },
  expected: Expected,
  broken: readonly FieldError[],
  found: readonly FieldError[] = [],
): StatusError {
  const { apiVersion, kind, metadata } = object;
  const expectedVersion = apiVersionOf(expected);
  const { group = '' } = parseApiVersion(apiVersion) ?? {};
  return StatusError.invalid(group, kind, metadata.name ?? '', [
    ...found,
    ...(kind === expected.kind ? [] : [FieldErrors.invalid('kind', kind, `must be ${expected.kind}`)]),
    ...(apiVersion === expectedVersion
      ? []
      : [FieldErrors.invalid('apiVersion', apiVersion, `must be ${expectedVersion}`)]),
    ...broken,
  ]);
}

/** @throws TypeError if the kind or version of a patched object are missing or not text, or the version has several slashes */
export function requireReadableKind(value: JsonObject): void {
  const declared = declaredKind(value) as JsonObject;
  requireTextualKind(declared);
  const { kind } = value;
  if (!kind) throw new TypeError(`Object 'Kind' is missing in '${sortedJsonForMessage(value)}'`);
  if (value.apiVersion === null) throw new TypeError(NULL_VERSION);
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

/** The fields of an object of an unknown version of its kind: all of them are unknown. */
export function unknownFields(
  value: JsonObject,
  { apiVersion, kind }: Identity,
  expected: Expected,
): readonly string[] {
  const isUnknown = kind === expected.kind && apiVersion.startsWith(`${expected.group}/`);
  if (!isUnknown || expected.versions?.includes(apiVersion.slice(expected.group.length + 1))) return [];
  const names = Object.keys(value).filter((name) => !META_FIELDS.has(name));
  return names.sort().map((name) => `unknown field ${goQuote(name)}`);
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
  const isServed = isOwnGroup && expected.versions?.includes(found.version);
  const isFormer = kind === expected.kind && expected.formerVersions?.includes(apiVersion);
  if (isServed || isFormer) return otherVersion(apiVersion, expected);
  return StatusError.badRequest(
    `${cannotBeHandled(found, expected)}: no such kind is known in ${goQuote(apiVersion)}`,
  );
}
