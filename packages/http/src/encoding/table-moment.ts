import { encodeJson } from '@ashlar/codec';
import { ageChangesAt, ageTextSince } from '@ashlar/core';
import type { Validity } from './block-cache.ts';

/** An age as a cell in JSON, and until when it is that. */
interface AgeCell {
  readonly json: Uint8Array;
  readonly until: number;
}

/** Maximum bytes of rows that are allocated at once. */
const MAXIMUM_SLAB_BYTES = 65_536;

/**
 * The moment at which a table is shown. The ages of all rows change every second while their objects are young, so what a row costs
 * then is shared: objects of one second have the same ages, and rows are allocated many at a time.
 */
export class TableMoment implements Validity {
  readonly now: number;
  until: number = Number.POSITIVE_INFINITY;
  readonly #ages: Map<number, AgeCell> = new Map();
  #slab: Uint8Array = new Uint8Array();
  #allocated = 0;

  /** @param now milliseconds since 1970 */
  constructor(now: number) {
    this.now = now;
  }

  /**
   * Returns an age as a cell in JSON. The table is not valid for longer than it.
   * @param start as `ageStart` returns it
   */
  age(start: number): Uint8Array {
    let cell = this.#ages.get(start);
    if (!cell) {
      cell = { json: encodeJson(ageTextSince(start, this.now)), until: ageChangesAt(start, this.now) };
      this.#ages.set(start, cell);
    }
    this.endsBy(cell.until);
    return cell.json;
  }

  /** Ends the validity of what is encoded no later than a time. */
  endsBy(time: number): void {
    if (time < this.until) this.until = time;
  }

  /** Returns memory for one row. The first has memory of its own: a table may have no other. */
  allocate(size: number): Uint8Array {
    if (size > MAXIMUM_SLAB_BYTES / 8) return new Uint8Array(size);
    if (this.#slab.length < this.#allocated + size) {
      this.#slab = new Uint8Array(Math.max(size, Math.min(2 * this.#slab.length, MAXIMUM_SLAB_BYTES)));
      this.#allocated = 0;
    }
    this.#allocated += size;
    return this.#slab.subarray(this.#allocated - size, this.#allocated);
  }
}
