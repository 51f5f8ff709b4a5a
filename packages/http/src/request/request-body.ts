import {
  bodyKind,
  DecodeError,
  decodeUtf8,
  encodeJsonSteps,
  jsonSerializer,
  namesKind,
  requireJsonLimits,
  requireKind,
  unreadableKind,
  yamlSerializer,
} from '@ashlar/codec';
import {
  type Ambient,
  type ApiObject,
  declaredKind,
  declaredKindOfTextSteps,
  type JsonValue,
  MAXIMUM_OBJECT_BYTES,
  pause,
  type ServerRequest,
  StatusError,
  type Steps,
} from '@ashlar/core';
import { type DecodeRequest, LARGE_OBJECT_BYTES } from '@ashlar/registry';
import type { BodyFormat } from '../catalog/resource-media-types.ts';
import type { ServedResource } from '../catalog/served-resource.ts';
import { deadlineExceeded } from '../pipeline/request-deadline.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { withBodyErrors, withBodyErrorsSteps } from './body-errors.ts';
import { decodeCborObject } from './decode-cbor-object.ts';

/** Bodies up to this size cannot exceed the limits on values and nesting. */
const UNLIMITED_BYTES = 2000;

/**
 * Reads the complete body, and pauses after a large one so that other requests are handled.
 * @throws StatusError 413, and 400 if the client disconnects
 */
export async function readBody(scope: RequestScope, ambient: Ambient): Promise<Uint8Array> {
  const bytes = await receiveBody(scope.request);
  scope.isLarge = bytes.length > LARGE_OBJECT_BYTES;
  const turn = beginWith(scope, bytes.length, ambient);
  if (turn) await turn;
  return bytes;
}

/** What has no body, after all, has had its turn. */
function beginWith(scope: RequestScope, bytes: number, ambient: Ambient): Promise<void> | undefined {
  if (scope.isLarge) return beginLarge(scope, bytes, ambient);
  return bytes > 0 ? scope.costs.beginWithBody(scope) : scope.costs.begin(scope);
}

/** Waits until there is memory for what is made of a body, until its request has a response, which may repeat it. */
async function beginLarge(scope: RequestScope, bytes: number, ambient: Ambient): Promise<void> {
  const isYaml = scope.request.headers.get('content-type')?.includes('yaml') === true;
  const end = await scope.largeBodies.begin(scope.user.name, bytes, isYaml);
  scope.endBody = end;
  if (scope.isTimedOut) {
    end();
    throw deadlineExceeded();
  }
  await pause(ambient);
}

function receiveBody(request: ServerRequest): Promise<Uint8Array> {
  try {
    return request.body(MAXIMUM_OBJECT_BYTES).catch(refuseBody);
  } catch (error) {
    return refuseBody(error);
  }
}

function refuseBody(error: unknown): never {
  throw StatusError.is(error)
    ? error
    : StatusError.badRequest('the body of the request is incomplete', error);
}

/** A decoded body and the findings of strict decoding. */
export interface DecodedBody {
  readonly value: JsonValue;
  readonly findings: readonly string[];
}

/**
 * Decodes a body as JSON or YAML.
 * @param strict whether findings are worded for an error instead of warnings
 * @throws StatusError 400 that names the expected kind, 413
 */
export function* decodeBodySteps(
  bytes: Uint8Array,
  format: 'json' | 'yaml',
  kind: string,
  strict: boolean,
): Steps<DecodedBody> {
  const serializer = format === 'yaml' ? yamlSerializer : jsonSerializer;
  const decode = serializer.decodeSteps(bytes, { strict: true });
  const { value, strictErrors, strictWarnings } = yield* withBodyErrorsSteps(bytes, kind, decode);
  return { value, findings: strict ? strictErrors : strictWarnings };
}

/**
 * Decodes the body of a create or update into an object of the resource.
 * @throws StatusError 400, 413
 */
export function* decodeObjectSteps(
  served: ServedResource,
  bytes: Uint8Array,
  format: BodyFormat,
  request: Pick<DecodeRequest, 'fieldValidation' | 'warn'>,
): Steps<ApiObject> {
  try {
    return yield* decodeReadable(served, bytes, format, request);
  } catch (error) {
    const isUnreadable = StatusError.is(error) && error.code === 400;
    throw isUnreadable && isCustomView(served) ? unregisteredKind(served, error) : error;
  }
}

/** Whether objects of a custom type are written as another kind: their scale. */
const isCustomView = ({ routes, definition: { dialect } }: ServedResource): boolean =>
  routes === 'custom' && dialect !== 'custom';

/** Returns what release 1.32 says of each unreadable scale of a custom object, whatever is wrong with it. */
function unregisteredKind({ definition, version }: ServedResource, cause: StatusError): StatusError {
  const type = `${version.name}.${definition.names.kind}`;
  const message = `no kind is registered for the type ${type} in scheme "pkg/runtime/scheme.go:100"`;
  return StatusError.badRequest(message, cause);
}

function* decodeReadable(
  served: ServedResource,
  bytes: Uint8Array,
  format: BodyFormat,
  request: Pick<DecodeRequest, 'fieldValidation' | 'warn'>,
): Steps<ApiObject> {
  const { decoder } = served;
  const { kind } = served.definition.names;
  const { fieldValidation, warn } = request;
  if (format === 'protobuf') {
    const expected = { kind, apiVersion: served.apiVersion };
    const value = yield* withBodyErrorsSteps(bytes, expected, served.protobuf.decodeSteps(bytes));
    yield;
    return yield* decoder.decodeSteps(value, { fieldValidation, warn, findings: [] });
  }
  if (format === 'cbor') return yield* decodeCborObject(served, bytes, request);
  if (format === 'json' && decoder.decodeTextSteps) {
    if (bytes.length > UNLIMITED_BYTES) yield* withBodyErrorsSteps(bytes, kind, requireLimits(bytes));
    try {
      return yield* decoder.decodeTextSteps(decodeUtf8(bytes), { fieldValidation, warn, findings: [] });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw (yield* unreadableKindError(bytes, kind)) ?? error;
    }
  }
  const strict = fieldValidation === 'Strict';
  const { value, findings } = yield* decodeBodySteps(bytes, format, kind, strict);
  yield;
  const repeats = format === 'json' && findings.some((text) => REPEATED_KIND.test(text));
  const declared = repeats ? yield* declaredKindOfTextSteps(decodeUtf8(bytes)) : declaredKind(value);
  if (served.definition.dialect === 'custom') {
    // YAML whose fields are not checked is shown as the JSON that it stands for
    const isShownAsJson = format === 'yaml' && fieldValidation === 'Ignore' && !namesKind(value);
    const shown = isShownAsJson ? yield* encodeJsonSteps(value, { sortKeys: true }) : bytes;
    requireNamedKind(served, { value, declared }, { bytes, shown }, request);
  } else withBodyErrors(bytes, kind, () => bodyKind(declared));
  return yield* decoder.decodeSteps(value, { fieldValidation, warn, findings, declared });
}

const REPEATED_KIND: RegExp = /^duplicate field "(?:apiVersion|kind)"$/i;

/** @throws DecodeError as of any other text that is no JSON if it is too deep */
function* requireLimits(bytes: Uint8Array): Steps<void> {
  try {
    yield* requireJsonLimits(bytes);
  } catch (error) {
    if (!DecodeError.is(error) || error.kind === 'too-large') throw error;
    throw new DecodeError(unreadableKind(error.message), error);
  }
}

/** Returns the error of a JSON body whose kind cannot be read, which precedes those of its fields. */
function* unreadableKindError(bytes: Uint8Array, kind: string): Steps<unknown> {
  const declared = yield* declaredKindOfTextSteps(decodeUtf8(bytes));
  try {
    withBodyErrors(bytes, kind, () => bodyKind(declared));
    return undefined;
  } catch (found) {
    return found;
  }
}

/**
 * Requires that the body of an object without a built-in type names its kind; without a check of fields, the expected
 * kind stands in the error (semantics/verbs#decoding).
 * @throws StatusError 400
 */
function requireNamedKind(
  { definition, apiVersion }: ServedResource,
  { value, declared }: { readonly value: JsonValue; readonly declared: JsonValue },
  { bytes, shown }: { readonly bytes: Uint8Array; readonly shown: Uint8Array },
  { fieldValidation }: Pick<DecodeRequest, 'fieldValidation'>,
): void {
  const { kind } = definition.names;
  withBodyErrors(bytes, { kind, apiVersion }, () => {
    const named = bodyKind(declared);
    try {
      requireKind(value, shown);
    } catch (error) {
      if (fieldValidation !== 'Ignore' || !DecodeError.is(error)) throw error;
      throw new DecodeError(error.message, undefined, named);
    }
  });
}
