import {
  type ApiObject,
  doneSteps,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseApiVersion,
  parseTime,
  runAtOnce,
  SharedSteps,
  StatusError,
  type Steps,
} from '@ashlar/core';
import {
  type CoerceOptions,
  coerceRootMetadata,
  collectStrictErrors,
  compileStructural,
  type StructuralSchema,
} from '@ashlar/schema';
import type { ResourceVersion } from '../definition/resource-definition.ts';
import { admittedAs, decodePatched, translated } from './decode-errors.ts';
import {
  cannotBeHandled,
  type DecodeRequest,
  type Expected,
  reportFindings,
  sortedJsonForMessage,
} from './decode-request.ts';
import type { ObjectDecoder } from './object-decoder.ts';
import {
  type Identity,
  isOfOtherKind,
  MISSING_VERSION,
  otherKind,
  requireNamedIdentity,
  requireOwnVersion,
  requireReadableKind,
  unknownFields,
} from './object-identity.ts';

export function structuralDecoder(
  version: ResourceVersion,
  expected: Expected,
  isValidated: boolean,
): ObjectDecoder {
  const structureSteps = compiledOnce(version);
  function* decode(value: JsonValue, request: DecodeRequest): Steps<ApiObject> {
    const structure = yield* structureSteps();
    const pruned = yield* pruneReported(structure, value, expected, request);
    return withMetadata((yield* structure.applyDefaultsSteps(pruned)) as JsonObject);
  }
  function* decodeApplied(value: JsonValue, request: DecodeRequest): Steps<ApiObject> {
    const structure = yield* structureSteps();
    const readable = withReadableTimes(value as JsonObject);
    const pruned = yield* pruneReported(structure, readable, expected, request, { keepInvalid: true });
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
    const read = coerceRootMetadata(value, (path) => found.report({ kind: 'unknown', path }));
    const findings = [...request.findings, ...found.texts, ...unknownFields(value, identity, expected)];
    // an error that would name the version, which is missed first
    if (identity.apiVersion === '' && findings.length > 0 && request.fieldValidation === 'Strict')
      throw StatusError.badRequest(MISSING_VERSION);
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
  function decodePatchedSteps(
    value: JsonValue,
    request: DecodeRequest,
    decodeOwn: (value: JsonValue, request: DecodeRequest) => Steps<ApiObject>,
  ): Steps<ApiObject> {
    return decodePatched(value, { text: sortedJsonForMessage }, (object) => {
      requireReadableKind(object);
      const identity = { kind: String(object.kind), apiVersion: String(object.apiVersion ?? '') };
      return isOfOtherKind(identity, expected)
        ? doneSteps(readMetadata(object, identity, request))
        : decodeOwn(object, request);
    });
  }
  return {
    emptyObject: undefined,
    decode: (value, request) => runAtOnce(decodeSteps(value, request)),
    decodeSteps,
    decodeTextSteps: undefined,
    decodePatchedSteps: (value, request) => decodePatchedSteps(value, request, decode),
    decodeAppliedSteps: (value, request) => decodePatchedSteps(value, request, decodeApplied),
    ...storedForms(structureSteps, expected),
  };
}

/** Gives the compiled schema of a version, which is read and compiled with pauses when it is first asked for. */
function compiledOnce(version: ResourceVersion): () => Steps<StructuralSchema> {
  const compiling = new SharedSteps(function* (): Steps<StructuralSchema> {
    if (version.readSchemaSteps) yield* version.readSchemaSteps();
    const structure = version.structure ?? compileStructural(version.schema);
    yield* structure.compileSteps();
    return structure;
  });
  return () => compiling.steps();
}

/** Drops unknown fields and reports them: those of the object's own metadata first, those of embedded resources last. */
function* pruneReported(
  structure: StructuralSchema,
  value: JsonValue,
  expected: Expected,
  request: DecodeRequest,
  options: CoerceOptions = {},
): Steps<JsonValue> {
  const found = collectStrictErrors();
  const unknown = (path: string): void => found.report({ kind: 'unknown', path });
  const embedded: string[] = [];
  const coerced = yield* structure.coerceMetadataSteps(
    value,
    (path) => (path.startsWith('metadata.') ? unknown(path) : embedded.push(path)),
    options,
  );
  const pruned = yield* structure.pruneSteps(coerced, unknown);
  embedded.forEach(unknown);
  reportFindings(expected, [...request.findings, ...found.texts], request);
  return pruned;
}

const UNBOUNDED = { maximumBytes: Number.POSITIVE_INFINITY, maximumAddedBytes: Number.POSITIVE_INFINITY };

/** Operations on objects that exist already. */
function storedForms(
  structureSteps: () => Steps<StructuralSchema>,
  expected: Expected,
): Pick<
  ObjectDecoder,
  'readStored' | 'readStoredSteps' | 'pruneSteps' | 'convertedSteps' | 'settle' | 'settleSteps'
> {
  function* pruned(object: JsonValue): Steps<JsonValue> {
    const structure = yield* structureSteps();
    return yield* structure.pruneSteps(object, ignore);
  }
  function* read(stored: JsonValue): Steps<JsonValue> {
    const structure = yield* structureSteps();
    const coerced = yield* structure.coerceMetadataSteps(stored, ignore, { dropInvalid: true });
    // the definition may have new defaults: stored objects must stay readable
    return yield* structure.applyDefaultsSteps(yield* pruned(coerced), UNBOUNDED);
  }
  function* converted(object: JsonValue): Steps<JsonValue> {
    const structure = yield* structureSteps();
    return yield* structure.dropNullsSteps(yield* pruned(object));
  }
  function* decode(changed: JsonValue): Steps<ApiObject> {
    const structure = yield* structureSteps();
    return withMetadata((yield* structure.applyDefaultsSteps(yield* pruned(changed))) as JsonObject);
  }
  const readStoredSteps = (object: ApiObject) => read(asJson(object)) as unknown as Steps<ApiObject>;
  const pruneSteps = (object: ApiObject) => pruned(asJson(object)) as unknown as Steps<ApiObject>;
  const convertedSteps = (object: ApiObject) => converted(asJson(object)) as unknown as Steps<ApiObject>;
  const settleSteps = (changed: ApiObject): Steps<ApiObject> =>
    admittedAs(expected, changed, () => decode(asJson(changed)));
  return {
    ...{ readStoredSteps, pruneSteps, convertedSteps, settleSteps },
    readStored: (object) => runAtOnce(readStoredSteps(object)),
    settle: (object) => runAtOnce(settleSteps(object)),
  };
}

const ignore = (): void => {};

const asJson = (object: ApiObject): JsonValue => object as unknown as JsonValue;

/** Kind and version as errors name them. */
function namedIn({ apiVersion, kind }: Identity): { readonly kind: string; readonly version: string } {
  return { kind, version: parseApiVersion(apiVersion)?.version ?? '' };
}

/** Drops times of metadata that are none: an apply of a custom object does not read them, and the server sets its own. */
function withReadableTimes(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata)) return object;
  const broken = ['creationTimestamp', 'deletionTimestamp'].filter((name) =>
    isUnreadableTime(metadata[name]),
  );
  if (broken.length === 0) return object;
  const rest = Object.entries(metadata).filter(([name]) => !broken.includes(name));
  return { ...object, metadata: Object.fromEntries(rest) };
}

function isUnreadableTime(value: JsonValue | undefined): boolean {
  if (typeof value !== 'string') return false;
  try {
    parseTime(value);
    return false;
  } catch {
    return true;
  }
}

/** Adds metadata to custom objects without any. */
function withMetadata(object: JsonObject): ApiObject {
  const named = isJsonObject(object.metadata) ? object : { ...object, metadata: {} };
  return named as unknown as ApiObject;
}
