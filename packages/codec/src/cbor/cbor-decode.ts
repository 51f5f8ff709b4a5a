import { type JsonValue, runAtOnce, type Steps } from '@ashlar/core';
import { type DocumentLimits, MAXIMUM_DOCUMENT_VALUES } from '../serializers/document-limits.ts';
import { CborReader } from './cbor-reader.ts';
import type { CborShape } from './cbor-shape.ts';
import { requireWellFormed } from './cbor-well-formed.ts';

/** What to report besides the value. */
export interface CborDecodeOptions extends DocumentLimits {
  /** `report`: floats whose value is whole are listed, as `1.0` is. */
  readonly wholeFloats?: 'report';
}

/** A decoded data item and what was noticed on the way. */
export interface DecodedCbor {
  readonly value: JsonValue;
  /** Paths of floats whose value is whole: `spec.ports[0].port`; empty for the top value. */
  readonly wholeFloats: readonly string[];
}

/**
 * Reads one CBOR data item as the JSON value that it stands for (RFC 8949; semantics/encodings#cbor). Byte strings are texts like text
 * strings, in base64 or hexadecimal digits where a tag asks for it; time tags become RFC 3339, other tags count for nothing.
 *
 * @throws DecodeError if the bytes are not data item or more than one, and for what JSON cannot hold: keys that stand twice
 * or are not strings, integers beyond 64 bits, NaN and the infinities; and beyond the limits of depth and length;
 * of the kind `too-large` beyond those of {@link DocumentLimits}
 * @example decodeCbor(Uint8Array.of(0xa1, 0x41, 0x61, 0x01)).value // { a: 1 }
 */
export function decodeCbor(bytes: Uint8Array, options: CborDecodeOptions = {}): DecodedCbor {
  return runAtOnce(decodeCborSteps(bytes, options));
}

/** As {@link decodeCbor}, with pauses. */
export function* decodeCborSteps(bytes: Uint8Array, options: CborDecodeOptions = {}): Steps<DecodedCbor> {
  requireWellFormed(bytes, options.maximumValues ?? MAXIMUM_DOCUMENT_VALUES);
  yield;
  const wholeFloats: string[] = [];
  const events =
    options.wholeFloats === 'report' ? { wholeFloat: (path: string) => void wholeFloats.push(path) } : {};
  return { value: yield* new CborReader(bytes, events).read(undefined), wholeFloats };
}

/**
 * Reads bytes that are known to be well-formed, by the shape of a typed kind: its integers take no floats, its bytes whatever
 * text they are to become.
 * @throws DecodeError
 */
export function readTypedCbor(bytes: Uint8Array, shape: CborShape | undefined): Steps<JsonValue> {
  return new CborReader(bytes).read(shape);
}
