import { decodeBase64, encodeBase64, type Random } from '@ashlar/core';

/** A set of numbers below a size: which addresses of a range are allocated. */
export class Bitmap {
  readonly size: number;
  readonly #bytes: Uint8Array;

  /** @param base64 what `text` returned for the same size */
  constructor(size: number, base64?: string) {
    this.size = size;
    this.#bytes = new Uint8Array(Math.ceil(size / 8));
    if (base64) this.#bytes.set(decodeBase64(base64).subarray(0, this.#bytes.length));
  }

  get text(): string {
    return encodeBase64(this.#bytes);
  }

  has(index: number): boolean {
    return ((this.#bytes[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
  }

  add(index: number): void {
    this.#bytes[index >> 3] = (this.#bytes[index >> 3] ?? 0) | (1 << (index & 7));
  }

  delete(index: number): void {
    this.#bytes[index >> 3] = (this.#bytes[index >> 3] ?? 0) & ~(1 << (index & 7));
  }

  /** Returns the numbers in the set, ascending. */
  *values(): Generator<number> {
    for (let index = 0; index < this.size; index++) if (this.has(index)) yield index;
  }

  /**
   * Returns a number that is not in the set, from a random one onwards. Those below `reserved` come last: clients ask for them by name.
   * Undefined if there is none.
   */
  free(reserved: number, random: Random): number | undefined {
    const start = reserved + randomBelow(this.size - reserved, random);
    return (
      this.#firstFree(start, this.size) ??
      this.#firstFree(reserved, start) ??
      this.#firstFree(0, Math.min(reserved, this.size))
    );
  }

  #firstFree(from: number, to: number): number | undefined {
    for (let index = from; index < to; index++) {
      if ((index & 7) === 0 && this.#bytes[index >> 3] === 0xff) index += 7;
      else if (!this.has(index)) return index;
    }
    return undefined;
  }
}

function randomBelow(limit: number, random: Random): number {
  if (limit <= 1) return 0;
  const bytes = random.bytes(new Uint8Array(4));
  return new DataView(bytes.buffer).getUint32(0) % limit;
}
