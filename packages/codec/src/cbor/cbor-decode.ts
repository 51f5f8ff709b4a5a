import { type JsonValue, runAtOnce, type Steps } from '@ashlar/core';
import { type DocumentLimits, MAXIMUM_DOCUMENT_VALUES } from '../serializers/document-limits.ts';
import { CborReader } from './cbor-reader.ts';
import type { CborShape } from './cbor-shape.ts';
import { requireWellFormed } from './cbor-well-formed.ts';

/** What to report in addition to the value. */
export interface CborDecodeOptions extends DocumentLimits {
  /** `report`: floats with integer values, such as `1.0`, are listed. */
  readonly integerFloats?: 'report';
}

/** A decoded data item and its findings. */
export interface DecodedCbor {
  readonly value: JsonValue;
  /** Paths of floats with integer values: `spec.ports[0].port`; empty for the root. */
  readonly integerFloats: readonly string[];
}

/**
 * Decodes one CBOR data item to a JSON value (RFC 8949; semantics/encodings#cbor). Byte strings are texts
 * like text strings, in base64 or hexadecimal if a tag requests it; time tags become RFC 3339, other tags are
 * ignored.
 *
 * @throws DecodeError if the bytes are not exactly one data item, and for what JSON cannot represent: keys
 * that are repeated or not strings, integers beyond 64 bits, NaN and the infinities; and beyond the limits of
 * depth and length; of the kind `too-large` beyond those of {@link DocumentLimits}
 * @example decodeCbor(Uint8Array.of(0xa1, 0x41, 0x61, 0x01)).value // { a: 1 }
 */
export function decodeCbor(bytes: Uint8Array, options: CborDecodeOptions = {}): DecodedCbor {
  return runAtOnce(decodeCborSteps(bytes, options));
}

/** As {@link decodeCbor}, with pauses. */
export function* decodeCborSteps(bytes: Uint8Array, options: CborDecodeOptions = {}): Steps<DecodedCbor> {
  requireWellFormed(bytes, options.maximumValues ?? MAXIMUM_DOCUMENT_VALUES);
  yield;
  const integerFloats: string[] = [];
  const events =
    options.integerFloats === 'report'
      ? { integerFloat: (path: string) => void integerFloats.push(path) }
      : {};
  return { value: yield* new CborReader(bytes, events).read(undefined), integerFloats };
}

/**
 * Decodes well-formed bytes by the shape of a typed kind: integer fields reject floats, byte fields accept
 * any text.
 * @throws DecodeError
 */
export function readTypedCbor(bytes: Uint8Array, shape: CborShape | undefined): Steps<JsonValue> {
  return new CborReader(bytes).read(shape);
}
