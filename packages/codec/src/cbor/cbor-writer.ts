const INITIAL_BYTES = 512;
const encoder = new TextEncoder();
/** Texts up to this length are checked character by character: most are ASCII names. */
const SHORT_TEXT = 40;

/** A growing buffer of data items. */
export class CborWriter {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(INITIAL_BYTES);
  #view: DataView = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Returns a copy of what was written and resets the writer. */
  finish(): Uint8Array<ArrayBuffer> {
    const written = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return written;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** A head with the shortest argument (RFC 8949 section 4.2.1). */
  head(major: number, argument: number): void {
    this.#reserve(9);
    const initial = major << 5;
    if (argument < 24) this.#bytes[this.#length++] = initial | argument;
    else if (argument < 0x100) this.#sized(initial | 24, argument, 1);
    else if (argument < 0x1_0000) this.#sized(initial | 25, argument, 2);
    else if (argument < 0x1_0000_0000) this.#sized(initial | 26, argument, 4);
    else this.wide(major, BigInt(argument));
  }

  /** A head with an argument of 64 bits. */
  wide(major: number, argument: bigint): void {
    this.#reserve(9);
    this.#bytes[this.#length] = (major << 5) | 27;
    this.#view.setBigUint64(this.#length + 1, argument);
    this.#length += 9;
  }

  /** A float of the smallest size that represents its value. */
  float(value: number): void {
    this.#reserve(9);
    const half = halfOf(value);
    if (half !== undefined) this.#sized(0xf9, half, 2);
    else if (Math.fround(value) === value) {
      this.#bytes[this.#length] = 0xfa;
      this.#view.setFloat32(this.#length + 1, value);
      this.#length += 5;
    } else {
      this.#bytes[this.#length] = 0xfb;
      this.#view.setFloat64(this.#length + 1, value);
      this.#length += 9;
    }
  }

  /** A string of that major type; lone surrogates become U+FFFD. */
  text(major: number, text: string): void {
    if (text.length <= SHORT_TEXT && this.#ascii(major, text)) return;
    // the size of the head depends on the length in bytes, which is known when the text is written: if the
    // guess was wrong,
    // the text is moved
    this.#reserve(9 + text.length * 3);
    const guess = this.#length + headBytes(text.length);
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(guess));
    const from = this.#length + headBytes(written);
    if (from !== guess) this.#bytes.copyWithin(from, guess, guess + written);
    this.head(major, written);
    this.#length += written;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #ascii(major: number, text: string): boolean {
    this.#reserve(2 + text.length);
    const start = this.#length;
    this.head(major, text.length);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) {
        this.#length = start;
        return false;
      }
      this.#bytes[this.#length++] = code;
    }
    return true;
  }

  #sized(initial: number, argument: number, size: 1 | 2 | 4): void {
    this.#bytes[this.#length] = initial;
    if (size === 1) this.#bytes[this.#length + 1] = argument;
    else if (size === 2) this.#view.setUint16(this.#length + 1, argument);
    else this.#view.setUint32(this.#length + 1, argument);
    this.#length += 1 + size;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** Length of the head of a string of that many bytes. */
const headBytes = (length: number): number =>
  length < 24 ? 1 : length < 0x100 ? 2 : length < 0x1_0000 ? 3 : length < 0x1_0000_0000 ? 5 : 9;

const single = new DataView(new ArrayBuffer(4));

/** The half-precision bits of a number, or undefined if that loses precision. */
function halfOf(value: number): number | undefined {
  if (Math.fround(value) !== value) return undefined;
  single.setFloat32(0, value);
  const bits = single.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7f_ffff;
  if (value === 0) return sign;
  const shift = 113 - exponent;
  if (shift <= 0) {
    if (exponent > 142 || (fraction & 0x1fff) !== 0) return undefined;
    return sign | ((exponent - 112) << 10) | (fraction >>> 13);
  }
  // subnormal: the leading one becomes an ordinary digit
  const digits = fraction | 0x80_0000;
  if (shift > 10 || (digits & ((1 << (13 + shift)) - 1)) !== 0) return undefined;
  return sign | (digits >>> (13 + shift));
}
