/** One value of DER (X.690): its tag, and where its contents lie. */
export interface DerValue {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

/** Bytes that are no DER. */
export class DerError extends Error {
  override readonly name: string = 'DerError';
}

export const DER_SEQUENCE = 0x30;
export const DER_SET = 0x31;
export const DER_OBJECT_IDENTIFIER = 0x06;

/** Reads the values that lie one behind the other between two places. @throws DerError where the bytes are none */
export class DerReader {
  readonly bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get done(): boolean {
    return this.#at >= this.#end;
  }

  /** The next value, which must have the given tag where one is given. */
  next(tag?: number): DerValue {
    const found = this.#byte();
    if ((found & 0x1f) === 0x1f) throw new DerError('a tag of more than one byte');
    if (tag !== undefined && found !== tag) throw new DerError(`tag ${found} instead of ${tag}`);
    const length = this.#length();
    const start = this.#at;
    if (length > this.#end - start) throw new DerError('a value that is longer than what holds it');
    this.#at = start + length;
    return { tag: found, start, end: this.#at };
  }

  /** The tag of the next value; undefined at the end. */
  peek(): number | undefined {
    return this.done ? undefined : this.bytes[this.#at];
  }

  /** A reader of what a value holds. */
  inside({ start, end }: DerValue): DerReader {
    return new DerReader(this.bytes, start, end);
  }

  /** The contents of a value. */
  contents({ start, end }: DerValue): Uint8Array {
    return this.bytes.subarray(start, end);
  }

  #length(): number {
    const first = this.#byte();
    if (first < 0x80) return first;
    const count = first & 0x7f;
    if (count === 0 || count > 4) throw new DerError('a length of no definite form');
    let length = 0;
    for (let i = 0; i < count; i++) length = length * 256 + this.#byte();
    return length;
  }

  #byte(): number {
    if (this.done) throw new DerError('an end where a value should be');
    return this.bytes[this.#at++] as number;
  }
}
