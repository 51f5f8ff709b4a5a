import {
  type ApiObject,
  apiVersionOf,
  errorMessage,
  FieldErrors,
  goQuote,
  goValue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  notAnObject,
  ObjectTooLargeError,
  PrintedValue,
  StatusError,
  type Steps,
} from '@ashlar/core';
import { cannotBeHandled, type Expected, errorOfMap } from './decode-request.ts';
import {
  isOfOtherKind,
  otherKind,
  requireNamedIdentity,
  requireOwnVersion,
  unreadableKind,
} from './object-identity.ts';

/** Decodes an object of a built-in kind that admission changed, which may have left out the kind. @throws TypeError */
export function admittedBuiltIn(
  expected: Expected,
  changed: ApiObject,
  decode: () => Steps<ApiObject>,
): Steps<ApiObject> {
  const { apiVersion, kind } = changed as Partial<ApiObject>;
  const isWhole = Boolean(kind && apiVersion);
  const whole = { ...changed, kind: kind || expected.kind, apiVersion: apiVersion || apiVersionOf(expected) };
  return admittedAs(expected, isWhole ? changed : whole, decode);
}

/** Decodes an object that admission changed. @throws TypeError if it is of another kind, or cannot be decoded */
export function* admittedAs(
  expected: Expected,
  changed: ApiObject,
  decode: () => Steps<ApiObject>,
): Steps<ApiObject> {
  requireAdmittedKind(expected, changed);
  try {
    return yield* decode();
  } catch (error) {
    if (ObjectTooLargeError.is(error)) throw objectTooLarge(error);
    throw new TypeError(errorMessage(error), { cause: error });
  }
}

/** @throws TypeError */
function requireAdmittedKind(expected: Expected, changed: ApiObject): void {
  try {
    const identity = requireNamedIdentity(changed as unknown as JsonValue, expected);
    requireOwnVersion(identity, expected);
    if (isOfOtherKind(identity, expected)) throw otherKind(changed, expected, []);
  } catch (error) {
    const why = errorMessage(error);
    throw new TypeError(`admission changed a ${expected.kind} to an object that is not one: ${why}`, {
      cause: error,
    });
  }
}

/** How errors show what a patch has made. */
export interface PatchedFrom {
  /** Prints the patched object. */
  text(value: JsonValue): string;
  /** A strategic merge patch, which is shown instead: it is applied to the values of the object and not to its text. */
  readonly patch?: JsonValue | undefined;
}

/** Decodes what a patch has made of an object, and words its errors. */
export function* decodePatched(
  value: JsonValue,
  source: PatchedFrom,
  decode: (object: JsonObject) => Steps<ApiObject>,
): Steps<ApiObject> {
  try {
    if (!isJsonObject(value)) throw new TypeError(unreadableKind(notAnObject(value)));
    return yield* decode(value);
  } catch (error) {
    if (ObjectTooLargeError.is(error)) throw objectTooLarge(error);
    throw StatusError.is(error) ? error : patchError(value, error, source);
  }
}

/** Returns the error of an object that defaults made too large. */
export function objectTooLarge(error: ObjectTooLargeError): StatusError {
  return StatusError.requestEntityTooLarge(error.problem);
}

export function* translated(expected: Expected, decode: Steps<ApiObject>): Steps<ApiObject> {
  try {
    return yield* decode;
  } catch (error) {
    if (ObjectTooLargeError.is(error)) throw objectTooLarge(error);
    if (StatusError.is(error) || !(error instanceof Error)) throw error;
    throw StatusError.badRequest(`${cannotBeHandled(expected, expected)}: ${error.message}`, error);
  }
}

/** Characters of a patched object that an error shows: clients print it to say what a patch has made. */
const MAXIMUM_SHOWN = 65_536;

function patchError(value: JsonValue, error: unknown, source: PatchedFrom): StatusError {
  const isMap = source.patch !== undefined;
  const why = isMap ? errorOfMap(error) : errorMessage(error);
  const text = source.patch === undefined ? source.text(value) : goValue(source.patch);
  const cut = text.length > MAXIMUM_SHOWN ? `${text.slice(0, MAXIMUM_SHOWN)}...` : text;
  const shown = new PrintedValue(goQuote(cut), Number.POSITIVE_INFINITY);
  return StatusError.invalid('', '', '', [FieldErrors.invalid('patch', shown, why)]);
}
