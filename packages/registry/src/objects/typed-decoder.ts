import {
  type ApiObject,
  apiVersionOf,
  compareUtf8,
  declaredKind,
  declaredKindOfTextSteps,
  declaresKind,
  doneSteps,
  goQuote,
  groupVersionKindText,
  type JsonObject,
  type JsonValue,
  ObjectTooLargeError,
  ParseError,
  runAtOnce,
  StatusError,
  type Steps,
} from '@ashlar/core';
import { collectStrictErrors, compileTyped, type StrictFieldError } from '@ashlar/schema';
import type { ResourceVersion } from '../definition/resource-definition.ts';
import { admittedBuiltIn, decodePatched, objectTooLarge, translated } from './decode-errors.ts';
import {
  cannotBeHandled,
  type DecodeRequest,
  type Expected,
  errorOfMap,
  patchedJsonForMessage,
  reportFindings,
} from './decode-request.ts';
import type { ObjectDecoder } from './object-decoder.ts';
import { requireIdentity, requireOptionalIdentity } from './object-identity.ts';

export function typedDecoder(version: ResourceVersion, expected: Expected): ObjectDecoder {
  const codec = compileTyped(version.schema);
  const { kind } = expected;
  const apiVersion = apiVersionOf(expected);
  const named = (decoded: JsonObject): ApiObject => withType(decoded, kind, apiVersion);
  const identify = (decoded: JsonObject): Steps<ApiObject> => completedSteps(version, named(decoded));
  function* decode(value: JsonValue, request: DecodeRequest): Steps<ApiObject> {
    const found = collectStrictErrors();
    const object = yield* codec.decodeSteps(value, found.report);
    // what is read from a map has its errors in the order of their texts
    const texts = request.strategicPatch === undefined ? found.texts : [...found.texts].sort(compareUtf8);
    reportFindings(expected, [...request.findings, ...texts], request);
    return yield* identify(object);
  }
  // a null, and so an empty YAML document, counts as an object without fields
  function* decodeSteps(document: JsonValue, request: DecodeRequest): Steps<ApiObject> {
    const value = document ?? {};
    requireIdentity(request.declared ?? value, expected);
    return yield* translated(expected, decode(value, request));
  }
  function* decodeChanged(changed: ApiObject, isStrict: boolean): Steps<ApiObject> {
    const found = collectStrictErrors();
    const report = isStrict ? found.report : ignore;
    const object = yield* codec.decodeSteps(changed as unknown as JsonValue, report);
    if (found.texts.length > 0) throw new TypeError(`strict decoding error: ${found.texts.join(', ')}`);
    return yield* identify(object);
  }
  const settleSteps = (changed: ApiObject, isStrict = false): Steps<ApiObject> =>
    admittedBuiltIn(expected, changed, () => decodeChanged(changed, isStrict));
  return {
    emptyObject: named(codec.decode({}, () => {})),
    decode: (value, request) => runAtOnce(decodeSteps(value, request)),
    decodeSteps,
    *decodeTextSteps(text, request) {
      if (text.trim() === 'null') return yield* decodeSteps(null, request);
      const found = collectStrictErrors();
      let isOdd = false;
      const report = (error: StrictFieldError): void => {
        isOdd ||= declaresKind(error.path);
        found.report(error);
      };
      const object = yield* translatedText(expected, text, () => codec.decodeTextSteps(text, report));
      requireIdentity(isOdd ? yield* declaredKindOfTextSteps(text) : object, expected);
      reportFindings(expected, found.texts, request);
      return yield* completedText(expected, () => identify(object));
    },
    decodePatchedSteps: (value, request) =>
      decodePatched(value, { text: patchedJsonForMessage, patch: request.strategicPatch }, (object) => {
        const isMap = request.strategicPatch !== undefined;
        const declared = isMap ? object : (declaredKind(object) as JsonObject);
        requireOptionalIdentity(declared, expected, apiVersionOf(expected));
        return declared.apiVersion ? decode(object, request) : decode({}, withUnknownFields(object, request));
      }),
    decodeAppliedSteps: (value, request) => decodeMerged(value, request, expected, decode),
    readStored: unchanged,
    readStoredSteps: doneSteps,
    pruneSteps: doneSteps,
    convertedSteps: doneSteps,
    settle: (changed) => runAtOnce(settleSteps(changed)),
    settleSteps,
  };
}

/** A decoded object with its type first; a decoder makes no member `__proto__`. */
function withType(decoded: JsonObject, kind: string, apiVersion: string): ApiObject {
  const typed: Record<string, JsonValue | undefined> = { kind, apiVersion };
  for (const name in decoded) if (name !== 'kind' && name !== 'apiVersion') typed[name] = decoded[name];
  return typed as unknown as ApiObject;
}

/** Sets the defaults that a schema cannot express. */
function completedSteps(version: ResourceVersion, object: ApiObject): Steps<ApiObject> {
  return version.completeSteps?.(object) ?? doneSteps(version.complete?.(object) ?? object);
}

/** Completes what was read from a text. @throws StatusError 413 for what cannot be completed, 400 for what cannot be read */
function* completedText(expected: Expected, complete: () => Steps<ApiObject>): Steps<ApiObject> {
  try {
    return yield* complete();
  } catch (error) {
    if (ObjectTooLargeError.is(error)) throw objectTooLarge(error);
    if (!ParseError.is(error)) throw error;
    throw StatusError.badRequest(`${cannotBeHandled(expected, expected)}: ${error.message}`, error);
  }
}

/** Decodes what an apply has merged: its values fit the schema, but may not be those of the type, such as times that are none. */
function* decodeMerged(
  value: JsonValue,
  request: DecodeRequest,
  expected: Expected,
  decode: (value: JsonValue, request: DecodeRequest) => Steps<ApiObject>,
): Steps<ApiObject> {
  try {
    return yield* decode(value, request);
  } catch (error) {
    if (ObjectTooLargeError.is(error)) throw objectTooLarge(error);
    if (StatusError.is(error)) throw error;
    const kind = groupVersionKindText(expected);
    const why = errorOfMap(error);
    const message = `failed to convert new object (${request.applied ?? '/'}; ${kind}) to proper version: unable to convert unstructured object to ${kind}: ${why}`;
    throw new StatusError({ code: 500, reason: '', message });
  }
}

const unchanged = (object: ApiObject): ApiObject => object;
const ignore = (): void => {};

/** What a patch leaves without a version is of none that is known, and so are all its fields (semantics/patches#errors). */
function withUnknownFields(value: JsonObject, request: DecodeRequest): DecodeRequest {
  const names = Object.keys(value).filter((name) => name !== 'kind' && name !== 'apiVersion');
  const unknown = names.sort(compareUtf8).map((name) => `unknown field ${goQuote(name)}`);
  return { ...request, findings: [...request.findings, ...unknown] };
}

/** Reports a wrong kind of a text before errors of its fields. */
function* translatedText<T>(expected: Expected, text: string, decode: () => Steps<T>): Steps<T> {
  try {
    return yield* decode();
  } catch (error) {
    if (ObjectTooLargeError.is(error)) throw objectTooLarge(error);
    if (error instanceof SyntaxError || !(error instanceof Error)) throw error;
    requireIdentity(yield* declaredKindOfTextSteps(text), expected);
    throw StatusError.badRequest(`${cannotBeHandled(expected, expected)}: ${error.message}`, error);
  }
}
