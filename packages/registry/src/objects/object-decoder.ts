import {
  type ApiObject,
  apiVersionOf,
  type FieldError,
  FieldErrors,
  type GroupVersion,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonTypeError,
  jsonTypeName,
  ObjectTooLargeError,
  runAtOnce,
  StatusError,
  type Steps,
} from '@ashlar/core';
import { collectStrictErrors, compileStructural, compileTyped, type StructuralSchema } from '@ashlar/schema';
import type { ResourceDefinition, ResourceVersion } from '../definition/resource-definition.ts';

/** What a decoder does with fields that the schema does not know and with keys that stand twice (semantics/schemas#strictness). */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface DecodeRequest {
  readonly fieldValidation: FieldValidation;
  /** Findings of the encoding: `duplicate field "data"`. */
  readonly findings: readonly string[];
  warn(text: string): void;
}

/** Makes objects of one version out of decoded bodies. */
export interface ObjectDecoder {
  /** What a body without anything is; of built-in kinds, which have members that are always there. */
  readonly emptyObject: ApiObject | undefined;
  /**
   * A whole object: types checked, unknown fields dropped, defaults set.
   * @throws StatusError 400, of custom kinds also 422, and 413 where its defaults make it too large
   */
  decode(value: JsonValue, request: DecodeRequest): ApiObject;
  /** As `decode`, with pauses: for objects that may be large. */
  decodeSteps(value: JsonValue, request: DecodeRequest): Steps<ApiObject>;
  /**
   * The same from a JSON text, with what only the text tells: keys that stand twice, numbers as they are spelled. Built-in kinds only.
   * @throws SyntaxError where the text is no JSON; StatusError as `decode`
   */
  readonly decodeTextSteps: ((text: string, request: DecodeRequest) => Steps<ApiObject>) | undefined;
  /**
   * The result of a patch, which is refused in other words.
   * @throws StatusError 422, with strict validation 400, and 413 where it is too large
   */
  decodePatchedSteps(value: JsonValue, request: DecodeRequest): Steps<ApiObject>;
  /** The same of what was applied: users' kinds keep nulls that nothing takes the place of, so that they are refused. */
  decodeAppliedSteps(value: JsonValue, request: DecodeRequest): Steps<ApiObject>;
  /** An object of this version as it was stored, with what the schema says by now: users' kinds only change (semantics/schemas#order). */
  readStored(object: ApiObject): ApiObject;
  /** An object of this version that something else made or changed, without what the schema does not know. */
  prune(object: ApiObject): ApiObject;
  /**
   * An object of this version that admission changed: pruned, and with its defaults.
   * @throws TypeError where it is none of its kind any more
   */
  settle(object: ApiObject): ApiObject;
}

const compiled: WeakMap<ResourceVersion, ObjectDecoder> = new WeakMap();

/** The decoder of a version, compiled when it is first asked for and shared by all who serve the version. */
export function objectDecoder(definition: ResourceDefinition, version: ResourceVersion): ObjectDecoder {
  let decoder = compiled.get(version);
  if (!decoder) {
    decoder = createObjectDecoder(definition, version);
    compiled.set(version, decoder);
  }
  return decoder;
}

/** The decoder of one version of a resource type: typed for built-in kinds, structural for users' (semantics/verbs#decoding). */
function createObjectDecoder(definition: ResourceDefinition, version: ResourceVersion): ObjectDecoder {
  const expected = { group: definition.group, version: version.name, kind: definition.names.kind };
  return definition.dialect === 'built-in'
    ? typedDecoder(version, expected)
    : structuralDecoder(version, expected);
}

interface Expected extends GroupVersion {
  readonly kind: string;
}

function typedDecoder({ schema, complete }: ResourceVersion, expected: Expected): ObjectDecoder {
  const codec = compileTyped(schema);
  const named = ({ kind: _, apiVersion: __, ...rest }: JsonObject): ApiObject =>
    ({ kind: expected.kind, apiVersion: apiVersionOf(expected), ...rest }) as unknown as ApiObject;
  const identify = (decoded: JsonObject): ApiObject => {
    const object = named(decoded);
    return complete?.(object) ?? object;
  };
  function* decode(value: JsonValue, request: DecodeRequest): Steps<ApiObject> {
    const found = collectStrictErrors();
    const object = yield* codec.decodeSteps(value, found.report);
    tellFindings(expected, [...request.findings, ...found.texts], request);
    return identify(object);
  }
  function* decodeSteps(value: JsonValue, request: DecodeRequest): Steps<ApiObject> {
    requireIdentity(value, expected, false);
    return yield* translated(expected, decode(value, request));
  }
  return {
    emptyObject: named(codec.decode({}, () => {})),
    decode: (value, request) => runAtOnce(decodeSteps(value, request)),
    decodeSteps,
    *decodeTextSteps(text, request) {
      const found = collectStrictErrors();
      const object = yield* translatedText(expected, text, codec.decodeTextSteps(text, found.report));
      requireIdentity(object, expected, false);
      tellFindings(expected, found.texts, request);
      return identify(object);
    },
    decodePatchedSteps: (value, request) => decodePatched(value, request, expected, false, decode),
    decodeAppliedSteps: (value, request) => decodePatched(value, request, expected, false, decode),
    readStored: unchanged,
    prune: unchanged,
    settle: (changed) =>
      admittedAs(expected, changed, () => identify(codec.decode(changed as unknown as JsonValue, nobody))),
  };
}

const unchanged = (object: ApiObject): ApiObject => object;
const nobody = (): void => {};

/** What admission makes of an object is not the caller's fault. @throws TypeError */
function admittedAs(expected: Expected, changed: ApiObject, decode: () => ApiObject): ApiObject {
  const { kind } = expected;
  try {
    requireIdentity(changed as unknown as JsonValue, expected, true);
    return decode();
  } catch (error) {
    if (ObjectTooLargeError.is(error)) throw objectTooLarge(error);
    throw new TypeError(`admission made something of a ${kind} that is none: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function structuralDecoder(version: ResourceVersion, expected: Expected): ObjectDecoder {
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
    requireIdentity(value, expected, true);
    return yield* translated(expected, decode(value, request));
  }
  return {
    emptyObject: undefined,
    decode: (value, request) => runAtOnce(decodeSteps(value, request)),
    decodeSteps,
    decodeTextSteps: undefined,
    decodePatchedSteps: (value, request) => decodePatched(value, request, expected, true, decode),
    decodeAppliedSteps: (value, request) => decodePatched(value, request, expected, true, decodeApplied),
    ...storedForms(structure, expected),
  };
}

/** Without what the schema does not know, which is told: of the object's own metadata first, of those of embedded resources last. */
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
  tellFindings(expected, [...request.findings, ...found.texts], request);
  return pruned;
}

const UNBOUNDED = { maximumBytes: Number.POSITIVE_INFINITY };

/** What becomes of objects that are there already. */
function storedForms(
  structure: StructuralSchema,
  expected: Expected,
): Pick<ObjectDecoder, 'readStored' | 'prune' | 'settle'> {
  const prune = (object: ApiObject): JsonValue => structure.prune(object as unknown as JsonValue, nobody);
  const object = (value: JsonValue): ApiObject => value as unknown as ApiObject;
  return {
    readStored(stored) {
      const coerced = structure.coerceMetadata(stored as unknown as JsonValue, nobody, { dropInvalid: true });
      // a definition may have gained defaults: what is stored stays readable all the same
      return object(structure.applyDefaults(structure.prune(coerced, nobody), UNBOUNDED));
    },
    prune: (changed) => object(prune(changed)),
    settle: (changed) =>
      admittedAs(expected, changed, () =>
        withMetadata(structure.applyDefaults(prune(changed)) as JsonObject),
      ),
  };
}

/** Users' kinds may leave their metadata out, or patch it away. */
function withMetadata(object: JsonObject): ApiObject {
  const named = isJsonObject(object.metadata) ? object : { ...object, metadata: {} };
  return named as unknown as ApiObject;
}

function* decodePatched(
  value: JsonValue,
  request: DecodeRequest,
  expected: Expected,
  custom: boolean,
  decode: (value: JsonValue, request: DecodeRequest) => Steps<ApiObject>,
): Steps<ApiObject> {
  try {
    requirePatchedIdentity(value, expected, custom, request);
    return yield* decode(value, request);
  } catch (error) {
    if (ObjectTooLargeError.is(error)) throw objectTooLarge(error);
    throw StatusError.is(error) ? error : patchRefused(value, error);
  }
}

/** The refusal of an object that its defaults made larger than objects may be. */
function objectTooLarge(error: ObjectTooLargeError): StatusError {
  return StatusError.requestEntityTooLarge(`limit is ${error.limit}`);
}

/** Of a text that does not fit, another kind is told before what is wrong with its fields. */
function* translatedText<T>(expected: Expected, text: string, decode: Steps<T>): Steps<T> {
  try {
    return yield* decode;
  } catch (error) {
    if (error instanceof SyntaxError || !(error instanceof Error)) throw error;
    requireIdentity(JSON.parse(text) as JsonValue, expected, false);
    throw StatusError.badRequest(`${cannotBeHandled(expected, expected)}: ${error.message}`, error);
  }
}

function tellFindings(
  expected: Expected,
  findings: readonly string[],
  { fieldValidation, warn }: DecodeRequest,
): void {
  if (findings.length === 0 || fieldValidation === 'Ignore') return;
  if (fieldValidation === 'Warn') {
    for (const text of findings) warn(text);
    return;
  }
  throw StatusError.badRequest(
    `${cannotBeHandled(expected, expected)}: strict decoding error: ${findings.join(', ')}`,
  );
}

const cannotBeHandled = (found: { kind: string; version: string }, { kind }: Expected): string =>
  `${found.kind} in version ${goQuote(found.version)} cannot be handled as a ${kind}`;

function* translated(expected: Expected, decode: Steps<ApiObject>): Steps<ApiObject> {
  try {
    return yield* decode;
  } catch (error) {
    if (ObjectTooLargeError.is(error)) throw objectTooLarge(error);
    if (StatusError.is(error) || !(error instanceof Error)) throw error;
    throw StatusError.badRequest(`${cannotBeHandled(expected, expected)}: ${error.message}`, error);
  }
}

/** `kind` and `apiVersion` may be left out for built-in kinds; where given they must be those of the endpoint. */
function requireIdentity(value: JsonValue, expected: Expected, custom: boolean): void {
  if (!isJsonObject(value)) throw unrecognized(expected, jsonTypeError(value, 'struct').message);
  const [apiVersion, kind] = [textMember(value, 'apiVersion', expected), textMember(value, 'kind', expected)];
  if (custom && kind === '') throw unrecognizedCustom(expected, "Object 'Kind' is missing");
  if (custom && apiVersion === '') throw unrecognizedCustom(expected, "Object 'apiVersion' is missing");
  const wanted = apiVersionOf(expected);
  if (apiVersion !== '' && apiVersion !== wanted)
    throw otherVersion(kind || expected.kind, apiVersion, expected);
  if (kind === '' || kind === expected.kind) return;
  if (custom)
    throw otherKind(expected, [FieldErrors.invalid('kind', kind, `must be ${expected.kind}`)], value);
  throw StatusError.badRequest(
    `${cannotBeHandled({ kind, version: expected.version }, expected)}: another kind was expected`,
  );
}

/** A text; null and absence are the empty one. */
function textMember(object: JsonObject, name: string, expected: Expected): string {
  const value = object[name] ?? '';
  if (typeof value === 'string') return value;
  throw unrecognized(expected, jsonTypeError(value, 'string', `Go struct field .${name}`).message);
}

function requirePatchedIdentity(
  value: JsonValue,
  expected: Expected,
  custom: boolean,
  request: DecodeRequest,
): void {
  if (!isJsonObject(value)) throw new TypeError(`a patch cannot make ${jsonTypeName(value)} of an object`);
  const wanted = apiVersionOf(expected);
  if (!custom) {
    requireOptionalIdentity(value, expected, wanted);
    return;
  }
  if (!value.kind) throw new TypeError("Object 'Kind' is missing");
  tellFieldsOfNoVersion(value, expected, request);
  const errors: FieldError[] = [];
  if (value.kind !== expected.kind)
    errors.push(FieldErrors.invalid('kind', value.kind, `must be ${expected.kind}`));
  if (value.apiVersion !== wanted)
    errors.push(FieldErrors.invalid('apiVersion', value.apiVersion, `must be ${wanted}`));
  if (errors.length > 0) throw otherKind(expected, errors, value);
}

/** An object that is patched into a version which does not exist has no field that anybody knows. */
function tellFieldsOfNoVersion(value: JsonObject, expected: Expected, request: DecodeRequest): void {
  const { kind, apiVersion } = value;
  const isOther =
    apiVersion !== apiVersionOf(expected) && String(apiVersion).startsWith(`${expected.group}/`);
  if (kind !== expected.kind || !isOther) return;
  const unknown = Object.keys(value).filter((name) => !META_FIELDS.has(name));
  tellFindings(
    expected,
    unknown.sort().map((name) => `unknown field ${goQuote(name)}`),
    request,
  );
}

const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Built-in kinds may lose what they are called, but not become something else. */
function requireOptionalIdentity({ kind, apiVersion }: JsonObject, expected: Expected, wanted: string): void {
  const own =
    (kind === undefined || kind === expected.kind) && (apiVersion === undefined || apiVersion === wanted);
  if (!own) throw new TypeError(`the patched object is no ${expected.kind} of ${wanted}`);
}

function unrecognized({ kind }: Expected, why: string): StatusError {
  return StatusError.badRequest(
    `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why}`,
  );
}

function unrecognizedCustom({ kind }: Expected, why: string): StatusError {
  return StatusError.badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
}

function otherVersion(kind: string, apiVersion: string, expected: Expected): StatusError {
  const slash = apiVersion.lastIndexOf('/');
  const found = { kind, version: apiVersion.slice(slash + 1) };
  if (apiVersion.slice(0, Math.max(slash, 0)) === expected.group) {
    const versions = `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(expected)})`;
    return StatusError.badRequest(versions);
  }
  return StatusError.badRequest(
    `${cannotBeHandled(found, expected)}: no such kind is known in ${goQuote(apiVersion)}`,
  );
}

function otherKind(expected: Expected, errors: readonly FieldError[], value: JsonObject): StatusError {
  const { group } = expected;
  const kind = typeof value.kind === 'string' ? value.kind : expected.kind;
  const metadata = isJsonObject(value.metadata) ? value.metadata : {};
  return StatusError.invalid(group, kind, typeof metadata.name === 'string' ? metadata.name : '', errors);
}

/** ` "" is invalid: patch: …`: neither kind nor name is told (semantics/patches#errors). */
function patchRefused(value: JsonValue, error: unknown): StatusError {
  const why = error instanceof Error ? error.message : String(error);
  return StatusError.invalid('', '', '', [FieldErrors.invalid('patch', JSON.stringify(value, printed), why)]);
}

/** JSON.stringify refuses a bigint, and a message need not be exact. */
const printed = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
