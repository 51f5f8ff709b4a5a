import {
  isJsonObject,
  type JsonValue,
  parseApiVersion,
  runAtOnce,
  type Schema,
  type Steps,
} from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';
import type { DocumentLimits } from '../serializers/document-limits.ts';
import type { BodyKind } from '../serializers/unrecognized-body.ts';
import { decodeCborSteps, readTypedCbor } from './cbor-decode.ts';
import { type CborEncodeOptions, encodeShaped, encodeShapedSteps, SELF_DESCRIBED } from './cbor-encode.ts';
import { cborKind, requireCborKind } from './cbor-kind.ts';
import { type CborPart, cborShapeOf } from './cbor-shape.ts';

/** Encodes and decodes the objects of one schema, or of any, in CBOR. */
export interface CborCodec {
  /**
   * Encodes an object as a data item, without a tag.
   * @throws TypeError if JSON cannot represent the object
   */
  encode(object: object, options?: Pick<CborEncodeOptions, 'sortKeys'>): Uint8Array<ArrayBuffer>;
  /** As `encode`, with pauses, for large objects. */
  encodeSteps(object: object): Steps<Uint8Array<ArrayBuffer>>;
  /**
   * Decodes a body, tagged or not.
   * @throws DecodeError if it is invalid; with `body` if its kind can be read nevertheless
   */
  decode(bytes: Uint8Array, limits?: DocumentLimits): JsonValue;
  /** As `decode`, with pauses, for large bodies. */
  decodeSteps(bytes: Uint8Array, limits?: DocumentLimits): Steps<JsonValue>;
}

const WRITTEN: ReadonlySet<CborPart> = new Set<CborPart>(['bytes', 'float']);
const READ: ReadonlySet<CborPart> = new Set<CborPart>(['bytes', 'integer', 'raw', 'struct']);

/**
 * Compiles the CBOR codec of a built-in kind (semantics/encodings#cbor): byte fields are byte strings, float
 * fields always floats, and integer fields reject floats. Errors in fields that the kind does not have are none.
 *
 * @example
 * const codec = compileCbor({ type: 'object', additionalProperties: { type: 'string', format: 'byte' } });
 * codec.encode({ a: '/w==' }); // a1 41 61 d6 41 ff
 */
export function compileCbor(schema: Schema): CborCodec {
  const written = lazy(() => cborShapeOf(schema, WRITTEN));
  const read = lazy(() => cborShapeOf(schema, READ));
  return withDecode({
    encode: (object, options) => encodeShaped(object, written(), options),
    encodeSteps: (object) => encodeShapedSteps(object, written()),
    *decodeSteps(bytes, limits) {
      const body = cborKind(bytes, limits);
      yield;
      try {
        return withKnownVersion(yield* readTypedCbor(bytes, read()));
      } catch (error) {
        // the request determines what a body of a built-in kind omits
        throw error instanceof DecodeError ? new DecodeError(error.message, error, body) : error;
      }
    },
  });
}

/** A version that cannot be read is none, as if the body did not name one. */
function withKnownVersion(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || typeof value.apiVersion !== 'string') return value;
  return parseApiVersion(value.apiVersion) ? value : { ...value, apiVersion: '' };
}

function withDecode(codec: Omit<CborCodec, 'decode'>): CborCodec {
  return { ...codec, decode: (bytes, limits) => runAtOnce(codec.decodeSteps(bytes, limits)) };
}

/** The CBOR codec of objects without a built-in type, which must name their kind. */
export const plainCbor: CborCodec = withDecode({
  encode: (object, options) => encodeShaped(object, undefined, options),
  encodeSteps: (object) => encodeShapedSteps(object, undefined),
  *decodeSteps(bytes, limits) {
    const value = yield* decodeCborBody(bytes, limits);
    requireCborKind(value, bytes);
    return value;
  },
});

/** Prepends the self-describing tag to a data item. */
export function selfDescribed(item: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SELF_DESCRIBED.length + item.length);
  bytes.set(SELF_DESCRIBED);
  bytes.set(item, SELF_DESCRIBED.length);
  return bytes;
}

/** Decodes any body: a map or `null`. @throws DecodeError as {@link CborCodec.decode} */
export function* decodeCborBody(bytes: Uint8Array, limits: DocumentLimits = {}): Steps<JsonValue> {
  try {
    const { value } = yield* decodeCborSteps(bytes, limits);
    if (value === null || isJsonObject(value)) return value;
  } catch (error) {
    if (error instanceof DecodeError) throw withBody(error, cborKind(bytes, limits));
    throw error;
  }
  cborKind(bytes, limits);
  throw new DecodeError('cbor: the body is not a map');
}

/** Errors below the top of a body name the kind of the body. */
function withBody(error: DecodeError, body: BodyKind): DecodeError {
  return isKnown(body) ? new DecodeError(error.message, error, body) : error;
}

const isKnown = ({ kind, apiVersion }: BodyKind): boolean =>
  kind !== '' && parseApiVersion(apiVersion) !== undefined;

function lazy<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}
