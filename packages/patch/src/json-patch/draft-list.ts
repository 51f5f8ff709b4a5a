import type { JsonValue } from '@ashlar/core';

/** Maximum length of a chunk before it is split. */
const LONGEST = 1024;

/**
 * A long list during a patch: stored in chunks, so that inserting or removing an item does not move all after
 * it.
 */
export class DraftList {
  readonly #chunks: JsonValue[][] = [];
  #length: number;

  constructor(items: readonly JsonValue[]) {
    this.#length = items.length;
    for (let start = 0; start < items.length; start += LONGEST / 2) {
      this.#chunks.push(items.slice(start, start + LONGEST / 2));
    }
  }

  get length(): number {
    return this.#length;
  }

  /** The item at a valid index. */
  at(index: number): JsonValue {
    const [chunk, offset] = this.#find(index);
    return (this.#chunks[chunk] as JsonValue[])[offset] as JsonValue;
  }

  replace(index: number, value: JsonValue): void {
    const [chunk, offset] = this.#find(index);
    (this.#chunks[chunk] as JsonValue[])[offset] = value;
  }

  /** Inserts before an index, or after the last item. */
  insert(index: number, value: JsonValue): void {
    const [at, offset] = this.#find(index);
    const chunk = this.#chunks[at];
    this.#length++;
    if (!chunk) {
      this.#chunks.push([value]);
      return;
    }
    chunk.splice(offset, 0, value);
    if (chunk.length > LONGEST) this.#chunks.splice(at + 1, 0, chunk.splice(LONGEST / 2));
  }

  remove(index: number): void {
    const [at, offset] = this.#find(index);
    const chunk = this.#chunks[at] as JsonValue[];
    chunk.splice(offset, 1);
    this.#length--;
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** Joins the chunks. */
  writeTo(list: JsonValue[]): void {
    list.length = 0;
    for (const chunk of this.#chunks) for (const item of chunk) list.push(item);
  }

  /** The chunk of an index and the offset in it; the end is in the last chunk. */
  #find(index: number): readonly [chunk: number, offset: number] {
    let offset = index;
    for (let at = 0; at < this.#chunks.length; at++) {
      const { length } = this.#chunks[at] as JsonValue[];
      if (offset < length || (offset === length && at === this.#chunks.length - 1)) return [at, offset];
      offset -= length;
    }
    return [this.#chunks.length, 0];
  }
}
