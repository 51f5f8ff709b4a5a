import {
  compareUtf8,
  decodeBase64,
  type JsonObject,
  type JsonValue,
  runAtOnce,
  type Steps,
  utf8Length,
} from '@ashlar/core';
import { CycleGuard } from '../serializers/cycles.ts';
import { Major } from './cbor-cursor.ts';
import type { CborShape } from './cbor-shape.ts';
import { CborWriter } from './cbor-writer.ts';

/** Options of encoding CBOR. */
export interface CborEncodeOptions {
  /**
   * Sorts keys by their encoded bytes instead of the object's own order: equal values have equal bytes (RFC
   * 8949 section 4.2.1).
   */
  readonly sortKeys?: boolean;
  /** Paths of integers that are written as floats: those that `decodeCbor` reports. */
  readonly integerFloats?: readonly string[];
}

/** The tag of everything that is sent or stored (RFC 8949 section 3.4.6). */
export const SELF_DESCRIBED: readonly number[] = [0xd9, 0xd9, 0xf7];

/**
 * Encodes a JSON value as one data item, without a tag (RFC 8949; semantics/encodings#cbor): texts and keys
 * are byte strings, integers and floats as short as possible, `undefined` members are omitted, and a
 * `Uint8Array` is a byte string for base64.
 *
 * @throws TypeError for what JSON cannot represent: NaN, the infinities, integers beyond 64 bits, functions,
 * symbols, values that contain themselves
 * @example encodeCbor({ a: 1 }) // Uint8Array a1 41 61 01
 */
export function encodeCbor(value: unknown, options: CborEncodeOptions = {}): Uint8Array<ArrayBuffer> {
  return encodeShaped(value, undefined, options);
}

/** As {@link encodeCbor}, by the shape of a typed kind. */
export function encodeShaped(
  value: unknown,
  shape: CborShape | undefined,
  options?: CborEncodeOptions,
): Uint8Array<ArrayBuffer> {
  return runAtOnce(encodeShapedSteps(value, shape, options));
}

/** As {@link encodeShaped}, with pauses. */
export function* encodeShapedSteps(
  value: unknown,
  shape: CborShape | undefined,
  options: CborEncodeOptions = {},
): Steps<Uint8Array<ArrayBuffer>> {
  writer ??= new CborWriter();
  const own = writer;
  // a failure leaves the next call a clean writer
  writer = undefined;
  yield* new Encoding(own, options).writeSteps(value as JsonValue, shape);
  const bytes = own.finish();
  writer = own;
  return bytes;
}

let writer: CborWriter | undefined;

/** Entries between pauses. */
const STRIDE = 4096;

/** An array or map in progress. */
interface Frame {
  readonly container: JsonObject | readonly JsonValue[];
  /** Of a map. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  readonly shape: CborShape | undefined;
  next: number;
}

const INT64_MINIMUM = -(2n ** 63n);
const INT64_MAXIMUM = 2n ** 63n - 1n;

/** Encodes one value; with a stack of its own, so depth costs none. */
class Encoding {
  readonly #writer: CborWriter;
  readonly #sortKeys: boolean;
  readonly #integerFloats: ReadonlySet<string> | undefined;
  readonly #frames: Frame[] = [];

  constructor(target: CborWriter, { sortKeys = false, integerFloats = [] }: CborEncodeOptions) {
    this.#writer = target;
    this.#sortKeys = sortKeys;
    this.#integerFloats = integerFloats.length > 0 ? new Set(integerFloats) : undefined;
  }

  *writeSteps(root: JsonValue, shape: CborShape | undefined): Steps<void> {
    const guard = new CycleGuard(root);
    this.#begin(root, shape);
    let count = 0;
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      if (++count % STRIDE === 0) yield;
      guard.enter(this.#frames.length);
      if (frame.next === frame.length) this.#frames.pop();
      else this.#entry(frame);
    }
  }

  #entry(frame: Frame): void {
    const { container, keys, shape } = frame;
    const at = frame.next++;
    if (!keys) {
      this.#begin((container as readonly JsonValue[])[at] as JsonValue, shape?.entries);
      return;
    }
    const key = keys[at] as string;
    this.#writer.text(Major.bytes, key);
    this.#begin((container as JsonObject)[key] as JsonValue, shape?.members?.get(key) ?? shape?.entries);
  }

  #begin(value: JsonValue | Uint8Array, shape: CborShape | undefined): void {
    if (typeof value === 'string') this.#string(value, shape);
    else if (typeof value === 'number') this.#number(value, shape);
    else if (typeof value === 'boolean') this.#writer.byte(value ? 0xf5 : 0xf4);
    else if (value === null) this.#writer.byte(0xf6);
    else if (typeof value === 'bigint') this.#bigint(value);
    else if (value instanceof Uint8Array) this.#bytes(value);
    else if (typeof value === 'object') this.#open(value, shape);
    else throw new TypeError(`cbor: unsupported value: ${typeof value}`);
  }

  #string(value: string, shape: CborShape | undefined): void {
    if (shape?.leaf === 'bytes') this.#bytes(decodeBase64(value));
    else this.#writer.text(Major.bytes, value);
  }

  /** Tag 22: readers convert it to base64 text. */
  #bytes(bytes: Uint8Array): void {
    this.#writer.byte(0xd6);
    this.#writer.head(Major.bytes, bytes.length);
    this.#writer.raw(bytes);
  }

  #number(value: number, shape: CborShape | undefined): void {
    if (!Number.isFinite(value))
      throw new TypeError(`cbor: unsupported value: floating-point ${nameOf(value)}`);
    const isInteger = Number.isSafeInteger(value) && !Object.is(value, -0) && shape?.leaf !== 'float';
    if (!isInteger || this.#integerFloats?.has(this.#path())) this.#writer.float(value);
    else if (value >= 0) this.#writer.head(Major.unsigned, value);
    else this.#writer.head(Major.negative, -1 - value);
  }

  #bigint(value: bigint): void {
    if (value < INT64_MINIMUM || value > INT64_MAXIMUM)
      throw new TypeError(`cbor: unsupported value: ${value} has more than 64 bits`);
    if (Number.isSafeInteger(Number(value))) this.#number(Number(value), undefined);
    else if (value >= 0n) this.#writer.wide(Major.unsigned, value);
    else this.#writer.wide(Major.negative, -1n - value);
  }

  #open(container: JsonObject | readonly JsonValue[], shape: CborShape | undefined): void {
    if (Array.isArray(container)) {
      this.#writer.head(Major.array, container.length);
      this.#frames.push({ container, keys: undefined, length: container.length, shape, next: 0 });
      return;
    }
    const keys = this.#keysOf(container as JsonObject);
    this.#writer.head(Major.map, keys.length);
    this.#frames.push({ container, keys, length: keys.length, shape, next: 0 });
  }

  #keysOf(object: JsonObject): readonly string[] {
    const all = Object.keys(object);
    const keys = all.some((key) => object[key] === undefined)
      ? all.filter((key) => object[key] !== undefined)
      : all;
    return this.#sortKeys ? keys.sort(byEncodedForm) : keys;
  }

  /** Path of the next value. */
  #path(): string {
    return this.#frames.reduce((path, { keys, next }) => {
      if (!keys) return `${path}[${next - 1}]`;
      const key = keys[next - 1] as string;
      return path === '' ? key : `${path}.${key}`;
    }, '');
  }
}

const nameOf = (value: number): string => (Number.isNaN(value) ? 'NaN' : 'infinity');

/** Heads contain the length, so shorter keys come first. */
function byEncodedForm(a: string, b: string): number {
  return utf8Length(a) - utf8Length(b) || compareUtf8(a, b);
}
