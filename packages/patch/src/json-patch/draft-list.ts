import type { JsonValue } from '@ashlar/core';

/** Maximum length of a chunk before it is split. */
const LONGEST = 1024;

/** A long list while a patch runs: kept in chunks, so that an item goes in or out without all behind it being moved. */
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

  /** The item at an index within the list. */
  at(index: number): JsonValue {
    const [chunk, offset] = this.#find(index);
    return (this.#chunks[chunk] as JsonValue[])[offset] as JsonValue;
  }

  replace(index: number, value: JsonValue): void {
    const [chunk, offset] = this.#find(index);
    (this.#chunks[chunk] as JsonValue[])[offset] = value;
  }

  /** Inserts before an index, or behind the last item. */
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

  /** Puts the items back into their list. */
  writeTo(list: JsonValue[]): void {
    list.length = 0;
    for (const chunk of this.#chunks) for (const item of chunk) list.push(item);
  }

  /** The chunk of an index and the place in it; that behind the last item is in the last chunk. */
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
