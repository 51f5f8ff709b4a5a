const encoder = new TextEncoder();

const FIRST_BYTES = 16 * 1024;
/** Maximum size of a buffer that is reused: one large object must not retain memory for good. */
const MAXIMUM_SPARE_BYTES = 1024 * 1024;
/** Texts up to this length are copied character by character, which is faster for short ones. */
const SHORT_TEXT = 48;
const BYTES_BETWEEN_PAUSES = 16 * 1024;
/** Maximum bytes of a 32-bit varint and of a fixed value. */
const ROOM = 10;

let spare: Uint8Array | undefined;

/**
 * Encodes a message from front to back into one reused buffer. Length-delimited values are written first and
 * moved if their length takes more than a byte: no list of operations, no tree of buffers.
 * @example new ProtobufWriter().uint32(0x0a).string('a').finish() // 0a 01 61
 */
export class ProtobufWriter {
  #bytes: Uint8Array;
  #at = 0;
  /** Where it was at the last pause. */
  #pausedAt = 0;
  /** Start positions of the open messages, outermost first. */
  readonly #open: number[] = [];

  constructor() {
    this.#bytes = spare ?? new Uint8Array(FIRST_BYTES);
    spare = undefined;
  }

  /** An unsigned varint of up to 32 bits. */
  uint32(value: number): this {
    this.#reserve(ROOM);
    this.#varint(value >>> 0);
    return this;
  }

  /** A signed integer of up to 64 bits as a varint, negative ones in ten bytes. */
  int64(value: number | bigint): this {
    this.#reserve(ROOM);
    if (typeof value === 'number' && value >= 0 && value <= 0xffffffff) this.#varint(value);
    else this.#bigVarint(BigInt.asUintN(64, BigInt(value)));
    return this;
  }

  bool(value: boolean): this {
    return this.uint32(value ? 1 : 0);
  }

  /** Four bytes, little-endian. */
  fixed32(value: number): this {
    this.#reserve(ROOM);
    this.#view().setUint32(this.#at, value >>> 0, true);
    this.#at += 4;
    return this;
  }

  /** Eight bytes (IEEE 754), little-endian. */
  double(value: number): this {
    this.#reserve(ROOM);
    this.#view().setFloat64(this.#at, value, true);
    this.#at += 8;
    return this;
  }

  /** Length-prefixed bytes. */
  bytes(value: Uint8Array): this {
    this.#reserve(value.length + ROOM);
    this.#varint(value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
    return this;
  }

  /** Length-prefixed UTF-8; lone surrogates become U+FFFD. */
  string(value: string): this {
    // a code unit takes at most three bytes
    this.#reserve(value.length * 3 + ROOM);
    const start = this.#at++;
    if (value.length > SHORT_TEXT || !this.#ascii(value)) {
      const { written } = encoder.encodeInto(value, this.#bytes.subarray(start + 1));
      this.#at = start + 1 + written;
    }
    this.#prefix(start);
    return this;
  }

  /** Starts an embedded message. */
  fork(): this {
    this.#reserve(ROOM);
    this.#open.push(this.#at++);
    return this;
  }

  /** Ends the innermost message, and inserts its length before it. @throws TypeError if none is open */
  ldelim(): this {
    const start = this.#open.pop();
    if (start === undefined) throw new TypeError('no message is open');
    this.#reserve(ROOM);
    this.#prefix(start);
    return this;
  }

  /** Whether so much was written since this last was so that other work is to run. */
  isPauseDue(): boolean {
    if (this.#at - this.#pausedAt < BYTES_BETWEEN_PAUSES) return false;
    this.#pausedAt = this.#at;
    return true;
  }

  /** The encoded bytes, in a buffer of their own; the writer is not used again. */
  finish(): Uint8Array<ArrayBuffer> {
    const encoded = new Uint8Array(this.#at);
    encoded.set(this.#bytes.subarray(0, this.#at));
    if (this.#bytes.length <= MAXIMUM_SPARE_BYTES) spare = this.#bytes;
    this.#bytes = EMPTY;
    return encoded;
  }

  /** Writes a text if it is ASCII; returns whether it is. */
  #ascii(value: string): boolean {
    const bytes = this.#bytes;
    const at = this.#at;
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      if (code > 0x7f) return false;
      bytes[at + i] = code;
    }
    this.#at = at + value.length;
    return true;
  }

  /** Writes the length of the bytes after the one byte reserved for it, and makes room if a byte is too small. */
  #prefix(start: number): void {
    const end = this.#at;
    const length = end - start - 1;
    let extra = 0;
    for (let rest = length >>> 7; rest > 0; rest >>>= 7) extra++;
    if (extra > 0) this.#bytes.copyWithin(start + 1 + extra, start + 1, end);
    this.#at = start;
    this.#varint(length);
    this.#at = end + extra;
  }

  #varint(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#at++] = rest;
  }

  #bigVarint(value: bigint): void {
    let rest = value;
    while (rest > 0x7fn) {
      this.#bytes[this.#at++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#at++] = Number(rest);
  }

  #view(): DataView {
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset);
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + count));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}

const EMPTY: Uint8Array = new Uint8Array(0);
