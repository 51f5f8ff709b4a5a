import {
  type ApiObject,
  apiVersionOf,
  compareUtf8,
  declaredKindOfText,
  declaresKind,
  doneSteps,
  errorMessage,
  FieldErrors,
  goQuote,
  groupVersionKindText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonTypeError,
  ObjectTooLargeError,
  PrintedValue,
  parseApiVersion,
  runAtOnce,
  StatusError,
  type Steps,
} from '@ashlar/core';
import {
  collectStrictErrors,
  compileStructural,
  compileTyped,
  type StrictFieldError,
  type StructuralSchema,
} from '@ashlar/schema';
import type { ResourceDefinition, ResourceVersion } from '../definition/resource-definition.ts';
import {
  cannotBeHandled,
  type DecodeRequest,
  type Expected,
  patchedJsonForMessage,
  reportFindings,
  sortedJsonForMessage,
} from './decode-request.ts';
import {
  type Identity,
  isOfOtherKind,
  otherKind,
  requireIdentity,
  requireNamedIdentity,
  requireOptionalIdentity,
  requireOwnVersion,
  requireReadableKind,
  unknownFields,
  unreadableKind,
} from './object-identity.ts';

/** Converts decoded bodies to objects of one version. */
export interface ObjectDecoder {
  /** The object of an empty body; only for built-in kinds, some of whose fields are always present. */
  readonly emptyObject: ApiObject | undefined;
  /**
   * Decodes a whole object: checks types, drops unknown fields and sets defaults.
   * @throws StatusError 400, of custom kinds also 422, and 413 if defaults make it too large
   */
  decode(value: JsonValue, request: DecodeRequest): ApiObject;
  /** Like `decode`, in steps, for objects that may be large. */
  decodeSteps(value: JsonValue, request: DecodeRequest): Steps<ApiObject>;
  /**
   * Decodes a JSON text, including what only the text shows: duplicate keys and the spelling of numbers. Built-in kinds only.
   * @throws SyntaxError if the text is not JSON; StatusError as `decode`
   */
  readonly decodeTextSteps: ((text: string, request: DecodeRequest) => Steps<ApiObject>) | undefined;
  /**
   * Decodes the result of a patch, whose errors have other words.
   * @throws StatusError 422, with strict validation 400, and 413 if it is too large
   */
  decodePatchedSteps(value: JsonValue, request: DecodeRequest): Steps<ApiObject>;
  /** Decodes an applied configuration: custom kinds keep nulls without a default, so that validation rejects them. */
  decodeAppliedSteps(value: JsonValue, request: DecodeRequest): Steps<ApiObject>;
  /** Returns a stored object of this version as the current schema defines it; only custom kinds change (semantics/schemas#order). */
  readStored(object: ApiObject): ApiObject;
  readStoredSteps(object: ApiObject): Steps<ApiObject>;
  /** Returns an object of this version, such as a converted one, without unknown fields. */
  prune(object: ApiObject): ApiObject;
  pruneSteps(object: ApiObject): Steps<ApiObject>;
  /**
   * Decodes an object of this version that admission changed: prunes it and sets defaults.
   * @throws TypeError if it is no longer of its kind
   */
  settle(object: ApiObject): ApiObject;
  settleSteps(object: ApiObject): Steps<ApiObject>;
}

const compiled: WeakMap<ResourceVersion, ObjectDecoder> = new WeakMap();

/** Returns the decoder of a version, compiled on first use and shared by all servers. */
export function objectDecoder(definition: ResourceDefinition, version: ResourceVersion): ObjectDecoder {
  let decoder = compiled.get(version);
  if (!decoder) {
    decoder = createObjectDecoder(definition, version);
    compiled.set(version, decoder);
  }
  return decoder;
}

/** Creates the decoder of one version of a resource type: typed for built-in kinds, structural for custom kinds (semantics/verbs#decoding). */
function createObjectDecoder(definition: ResourceDefinition, version: ResourceVersion): ObjectDecoder {
  const expected = {
    ...{ group: definition.group, version: version.name, kind: definition.names.kind },
    versions: definition.versions.map(({ name }) => name),
  };
  return definition.dialect === 'built-in'
    ? typedDecoder(version, expected)
    : structuralDecoder(version, expected, !definition.storage);
}

function typedDecoder(version: ResourceVersion, expected: Expected): ObjectDecoder {
  const codec = compileTyped(version.schema);
  const named = ({ kind: _, apiVersion: __, ...rest }: JsonObject): ApiObject =>
    ({ kind: expected.kind, apiVersion: apiVersionOf(expected), ...rest }) as unknown as ApiObject;
  const identify = (decoded: JsonObject): Steps<ApiObject> => completedSteps(version, named(decoded));
  function* decode(value: JsonValue, request: DecodeRequest): Steps<ApiObject> {
    const found = collectStrictErrors();
    const object = yield* codec.decodeSteps(value, found.report);
    reportFindings(expected, [...request.findings, ...found.texts], request);
    return yield* identify(object);
  }
  // a null, and so an empty YAML document, counts as an object without fields
  function* decodeSteps(document: JsonValue, request: DecodeRequest): Steps<ApiObject> {
    const value = document ?? {};
    requireIdentity(request.declared ?? value, expected);
    return yield* translated(expected, decode(value, request));
  }
  function* decodeChanged(changed: ApiObject): Steps<ApiObject> {
    return yield* identify(yield* codec.decodeSteps(changed as unknown as JsonValue, ignore));
  }
  const settleSteps = (changed: ApiObject): Steps<ApiObject> =>
    admittedAs(expected, changed, () => decodeChanged(changed));
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
      requireIdentity(isOdd ? declaredKindOfText(text) : object, expected);
      reportFindings(expected, found.texts, request);
      return yield* identify(object);
    },
    decodePatchedSteps: (value, request) =>
      decodePatched(value, false, (object) => {
        requireOptionalIdentity(object, expected, apiVersionOf(expected));
        return object.apiVersion ? decode(object, request) : decode({}, withUnknownFields(object, request));
      }),
    decodeAppliedSteps: (value, request) => decodeMerged(value, request, expected, decode),
    readStored: unchanged,
    readStoredSteps: doneSteps,
    prune: unchanged,
    pruneSteps: doneSteps,
    settle: (changed) => runAtOnce(settleSteps(changed)),
    settleSteps,
  };
}

/** Sets the defaults that a schema cannot express. */
function completedSteps(version: ResourceVersion, object: ApiObject): Steps<ApiObject> {
  return version.completeSteps?.(object) ?? doneSteps(version.complete?.(object) ?? object);
}

const unchanged = (object: ApiObject): ApiObject => object;
const ignore = (): void => {};

/** Decodes an object that admission changed; errors are bugs of a plugin. @throws TypeError */
function* admittedAs(
  expected: Expected,
  changed: ApiObject,
  decode: () => Steps<ApiObject>,
): Steps<ApiObject> {
  const { kind } = expected;
  try {
    const identity = requireNamedIdentity(changed as unknown as JsonValue, expected);
    requireOwnVersion(identity, expected);
    if (isOfOtherKind(identity, expected)) throw otherKind(changed, expected, []);
    return yield* decode();
  } catch (error) {
    if (ObjectTooLargeError.is(error)) throw objectTooLarge(error);
    throw new TypeError(
      `admission changed a ${kind} to an object that is not one: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}

function structuralDecoder(
  version: ResourceVersion,
  expected: Expected,
  isValidated: boolean,
): ObjectDecoder {
  const structure = version.structure ?? compileStructural(version.schema);
  function* decode(value: JsonValue, request: DecodeRequest): Steps<ApiObject> {
    const pruned = yield* pruneReported(structure, value, expected, request);
    return withMetadata((yield* structure.applyDefaultsSteps(pruned)) as JsonObject);
  }
  function* decodeApplied(value: JsonValue, request: DecodeRequest): Steps<ApiObject> {
    const pruned = yield* pruneReported(structure, value, expected, request);
    return withMetadata((yield* structure.fillDefaultsSteps(pruned)) as JsonObject);
  }
  function* decodeSteps(value: JsonValue, request: DecodeRequest): Steps<ApiObject> {
    const identity = requireNamedIdentity(value, expected);
    if (!isOfOtherKind(identity, expected)) return yield* translated(expected, decode(value, request));
    const object = readOtherKind(value as JsonObject, identity, request);
    requireOwnVersion(identity, expected);
    return object;
  }
  /**
   * Reads what can be read of an object of another kind: its metadata. Validation refuses it.
   * @throws TypedDecodeError, and StatusError 400 for what is found by strict decoding
   */
  function readMetadata(value: JsonObject, identity: Identity, request: DecodeRequest): ApiObject {
    const found = collectStrictErrors();
    const read = structure.coerceOwnMetadata(value, (path) => found.report({ kind: 'unknown', path }));
    const findings = [...request.findings, ...found.texts, ...unknownFields(value, identity, expected)];
    reportFindings({ ...expected, ...namedIn(identity) }, findings, request);
    const object = withMetadata({ ...read, ...identity });
    if (isValidated) return object;
    throw otherKind(object, expected, []);
  }
  function readOtherKind(value: JsonObject, identity: Identity, request: DecodeRequest): ApiObject {
    try {
      return readMetadata(value, identity, request);
    } catch (error) {
      if (StatusError.is(error) || !(error instanceof Error)) throw error;
      throw StatusError.badRequest(
        `${cannotBeHandled(namedIn(identity), expected)}: ${error.message}`,
        error,
      );
    }
  }
  function* decodePatchedSteps(
    value: JsonValue,
    request: DecodeRequest,
    decodeOwn: (value: JsonValue, request: DecodeRequest) => Steps<ApiObject>,
  ): Steps<ApiObject> {
    return yield* decodePatched(value, true, function* (object) {
      requireReadableKind(object);
      const identity = { kind: String(object.kind), apiVersion: String(object.apiVersion ?? '') };
      return isOfOtherKind(identity, expected)
        ? readMetadata(object, identity, request)
        : yield* decodeOwn(object, request);
    });
  }
  return {
    emptyObject: undefined,
    decode: (value, request) => runAtOnce(decodeSteps(value, request)),
    decodeSteps,
    decodeTextSteps: undefined,
    decodePatchedSteps: (value, request) => decodePatchedSteps(value, request, decode),
    decodeAppliedSteps: (value, request) => decodePatchedSteps(value, request, decodeApplied),
    ...storedForms(structure, expected),
  };
}

/** Drops unknown fields and reports them: those of the object's own metadata first, those of embedded resources last. */
function* pruneReported(
  structure: StructuralSchema,
  value: JsonValue,
  expected: Expected,
  request: DecodeRequest,
): Steps<JsonValue> {
  const found = collectStrictErrors();
  const unknown = (path: string): void => found.report({ kind: 'unknown', path });
  const embedded: string[] = [];
  const coerced = yield* structure.coerceMetadataSteps(value, (path) =>
    path.startsWith('metadata.') ? unknown(path) : embedded.push(path),
  );
  const pruned = yield* structure.pruneSteps(coerced, unknown);
  embedded.forEach(unknown);
  reportFindings(expected, [...request.findings, ...found.texts], request);
  return pruned;
}

const UNBOUNDED = { maximumBytes: Number.POSITIVE_INFINITY, maximumAddedBytes: Number.POSITIVE_INFINITY };

/** Operations on objects that exist already. */
function storedForms(
  structure: StructuralSchema,
  expected: Expected,
): Pick<ObjectDecoder, 'readStored' | 'readStoredSteps' | 'prune' | 'pruneSteps' | 'settle' | 'settleSteps'> {
  const pruned = (object: JsonValue): Steps<JsonValue> => structure.pruneSteps(object, ignore);
  function* read(stored: JsonValue): Steps<JsonValue> {
    const coerced = yield* structure.coerceMetadataSteps(stored, ignore, { dropInvalid: true });
    // the definition may have new defaults: stored objects must stay readable
    return yield* structure.applyDefaultsSteps(yield* pruned(coerced), UNBOUNDED);
  }
  function* decode(changed: JsonValue): Steps<ApiObject> {
    return withMetadata((yield* structure.applyDefaultsSteps(yield* pruned(changed))) as JsonObject);
  }
  const readStoredSteps = (object: ApiObject) => read(asJson(object)) as unknown as Steps<ApiObject>;
  const pruneSteps = (object: ApiObject) => pruned(asJson(object)) as unknown as Steps<ApiObject>;
  const settleSteps = (changed: ApiObject): Steps<ApiObject> =>
    admittedAs(expected, changed, () => decode(asJson(changed)));
  return {
    ...{ readStoredSteps, pruneSteps, settleSteps },
    readStored: (object) => runAtOnce(readStoredSteps(object)),
    prune: (object) => runAtOnce(pruneSteps(object)),
    settle: (object) => runAtOnce(settleSteps(object)),
  };
}

const asJson = (object: ApiObject): JsonValue => object as unknown as JsonValue;

/** Kind and version as errors name them. */
function namedIn({ apiVersion, kind }: Identity): { readonly kind: string; readonly version: string } {
  return { kind, version: parseApiVersion(apiVersion)?.version ?? '' };
}

/** Adds metadata to custom objects without any. */
function withMetadata(object: JsonObject): ApiObject {
  const named = isJsonObject(object.metadata) ? object : { ...object, metadata: {} };
  return named as unknown as ApiObject;
}

/** Decodes what a patch has made of an object, and words its errors. */
function* decodePatched(
  value: JsonValue,
  isCustom: boolean,
  decode: (object: JsonObject) => Steps<ApiObject>,
): Steps<ApiObject> {
  try {
    if (!isJsonObject(value)) throw new TypeError(unreadableKind(jsonTypeError(value, 'struct').message));
    return yield* decode(value);
  } catch (error) {
    if (ObjectTooLargeError.is(error)) throw objectTooLarge(error);
    throw StatusError.is(error) ? error : patchError(value, error, isCustom);
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
    const text = errorMessage(error);
    const why = text.startsWith('illegal base64') ? `error decoding from json: ${text}` : text;
    const message = `failed to convert new object (${request.applied ?? '/'}; ${kind}) to proper version: unable to convert unstructured object to ${kind}: ${why}`;
    throw new StatusError({ code: 500, reason: '', message });
  }
}

/** What a patch leaves without a version is of none that is known, and so are all its fields (semantics/patches#errors). */
function withUnknownFields(value: JsonObject, request: DecodeRequest): DecodeRequest {
  const names = Object.keys(value).filter((name) => name !== 'kind' && name !== 'apiVersion');
  const unknown = names.sort(compareUtf8).map((name) => `unknown field ${goQuote(name)}`);
  return { ...request, findings: [...request.findings, ...unknown] };
}

/** Returns the error of an object that defaults made too large. */
function objectTooLarge(error: ObjectTooLargeError): StatusError {
  return StatusError.requestEntityTooLarge(error.problem);
}

/** Reports a wrong kind of a text before errors of its fields. */
function* translatedText<T>(expected: Expected, text: string, decode: () => Steps<T>): Steps<T> {
  try {
    return yield* decode();
  } catch (error) {
    if (error instanceof SyntaxError || !(error instanceof Error)) throw error;
    requireIdentity(declaredKindOfText(text), expected);
    throw StatusError.badRequest(`${cannotBeHandled(expected, expected)}: ${error.message}`, error);
  }
}

function* translated(expected: Expected, decode: Steps<ApiObject>): Steps<ApiObject> {
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

function patchError(value: JsonValue, error: unknown, custom: boolean): StatusError {
  const why = errorMessage(error);
  const text = custom ? sortedJsonForMessage(value) : patchedJsonForMessage(value);
  const cut = text.length > MAXIMUM_SHOWN ? `${text.slice(0, MAXIMUM_SHOWN)}...` : text;
  const shown = new PrintedValue(goQuote(cut), Number.POSITIVE_INFINITY);
  return StatusError.invalid('', '', '', [FieldErrors.invalid('patch', shown, why)]);
}
