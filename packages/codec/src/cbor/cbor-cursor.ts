import { DecodeError } from '../serializers/decode-error.ts';

/** Major types (RFC 8949 section 3.1). */
export const Major = {
  unsigned: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  array: 4,
  map: 5,
  tag: 6,
  primitive: 7,
} as const;

const MAJOR_NAMES: readonly string[] = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
];

/** Supported tags (RFC 8949 section 3.4). */
export const Tag = {
  timeText: 0,
  epochTime: 1,
  bignum: 2,
  negativeBignum: 3,
  toBase64Url: 21,
  toBase64: 22,
  toBase16: 23,
  selfDescribed: 55_799,
} as const;

/** Additional information for an argument of 1, 2, 4 or 8 bytes; smaller ones are in the initial byte. */
export const Info = { oneByte: 24, half: 25, single: 26, double: 27, indefinite: 31 } as const;

const BREAK = 0xff;
const SHORT_TEXT = 40;
const ASCII: readonly string[] = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));

/** Reads the heads of data items. After `head`, its fields describe the head. */
export class CborCursor {
  readonly bytes: Uint8Array;
  at = 0;
  major = 0;
  info = 0;
  /** The argument; beyond 2^53 approximate, see `exact`. */
  argument = 0;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The exact argument of the last head. */
  get exact(): bigint {
    return this.info === Info.double ? this.#view.getBigUint64(this.at - 8) : BigInt(this.argument);
  }

  get isIndefinite(): boolean {
    return this.info === Info.indefinite;
  }

  get atEnd(): boolean {
    return this.at === this.bytes.length;
  }

  /** Major type of the next item. */
  get nextMajor(): number {
    return (this.bytes[this.at] as number) >> 5;
  }

  get majorName(): string {
    return MAJOR_NAMES[this.major] as string;
  }

  /** The float of the last head. */
  get float(): number {
    if (this.info === Info.half) return halfOf(this.argument);
    return this.info === Info.single
      ? this.#view.getFloat32(this.at - 4)
      : this.#view.getFloat64(this.at - 8);
  }

  /** Consumes a break code if it is next. */
  takeBreak(): boolean {
    if (this.bytes[this.at] !== BREAK) return false;
    this.at++;
    return true;
  }

  /**
   * Reads the next head.
   * @throws DecodeError if it is truncated or invalid
   */
  head(): void {
    if (this.atEnd) throw unexpectedEnd();
    const initial = this.bytes[this.at++] as number;
    this.major = initial >> 5;
    this.info = initial & 0x1f;
    this.argument = this.info;
    if (this.info >= Info.oneByte) this.#argument();
  }

  /**
   * The contents of a string after its head.
   * @throws DecodeError if it is truncated
   */
  take(length: number): Uint8Array {
    if (this.bytes.length - this.at < length) throw unexpectedEnd();
    const bytes = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return bytes;
  }

  /** The contents of a short ASCII string after its head, as most are; undefined for others. */
  takeShortText(): string | undefined {
    if (this.argument > SHORT_TEXT || this.isIndefinite) return undefined;
    const end = this.at + this.argument;
    let text = '';
    for (let i = this.at; i < end; i++) {
      const byte = this.bytes[i] as number;
      if (byte > 0x7f) return undefined;
      text += ASCII[byte];
    }
    this.at = end;
    return text;
  }

  #argument(): void {
    if (this.info === Info.indefinite) {
      if (this.major === Major.primitive) throw new DecodeError('cbor: unexpected "break" code');
      if (this.major < Major.bytes || this.major === Major.tag) throw this.#badInfo();
      return;
    }
    if (this.info > Info.double) throw this.#badInfo();
    const size = 1 << (this.info - Info.oneByte);
    if (this.bytes.length - this.at < size) throw unexpectedEnd();
    this.argument = this.#unsigned(size);
    this.at += size;
    if (this.major === Major.primitive) this.#requirePrimitive();
  }

  #unsigned(size: number): number {
    if (size === 1) return this.#view.getUint8(this.at);
    if (size === 2) return this.#view.getUint16(this.at);
    if (size === 4) return this.#view.getUint32(this.at);
    return this.#view.getUint32(this.at) * 4_294_967_296 + this.#view.getUint32(this.at + 4);
  }

  #requirePrimitive(): void {
    if (this.info === Info.oneByte) {
      if (this.argument < 32)
        throw new DecodeError(`cbor: invalid simple value ${this.argument} for type primitives`);
      return;
    }
    const { float } = this;
    if (Number.isNaN(float)) throw unacceptable('primitives', 'floating-point NaN');
    if (!Number.isFinite(float)) throw unacceptable('primitives', 'floating-point infinity');
  }

  #badInfo(): DecodeError {
    return new DecodeError(`cbor: invalid additional information ${this.info} for type ${this.majorName}`);
  }
}

/** A number of 16 bits (RFC 8949, appendix D). */
function halfOf(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Major type of an initial byte, by name. */
export function majorNameOf(initial: number): string {
  return MAJOR_NAMES[initial >> 5] as string;
}

export function unexpectedEnd(): DecodeError {
  return new DecodeError('unexpected EOF');
}

/** Well-formed CBOR that is not supported. */
export function unacceptable(type: string, what: string): DecodeError {
  return new DecodeError(`cbor: data item of cbor type ${type} is not accepted by protocol: ${what}`);
}
