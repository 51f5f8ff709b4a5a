import type { ApiObject, Random } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';
import { Bitmap } from './bitmap.ts';

/** A range of numbers, each of which has one owner at a time. */
export interface AllocatedRange {
  /** Name of its record: `serviceips`. */
  readonly name: string;
  /** As errors and the record name it: `10.0.0.0/24`. */
  readonly text: string;
  readonly size: number;
  /** How many of the first numbers are allocated last, unless they are requested. */
  readonly reserved: number;
}

/** The stored form: one object for the whole range, so that servers over one store cannot allocate a number twice. */
interface StoredAllocation extends ApiObject {
  readonly range: string;
  readonly data: string;
}

/** The record of the allocated numbers of a range. It is read and changed by compare-and-swap, and shared by all servers. */
export class AllocationRecord {
  readonly range: AllocatedRange;
  readonly #store: ObjectStore;
  readonly #key: string;
  readonly #random: Random;

  constructor(
    range: AllocatedRange,
    {
      store,
      prefix,
      random,
    }: { readonly store: ObjectStore; readonly prefix: string; readonly random: Random },
  ) {
    this.range = range;
    this.#store = store;
    this.#key = `${prefix}ranges/${range.name}`;
    this.#random = random;
  }

  /** Reads which numbers are allocated. */
  async read(): Promise<Bitmap> {
    const stored = await this.#store.get(this.#key);
    return this.#bitmapOf(stored?.object as StoredAllocation | undefined);
  }

  /**
   * Changes which numbers are allocated, and returns what `decide` returns. It may be called again with a newer state.
   * @throws what `decide` throws; nothing has changed then
   * @throws Error if the record is one of another range
   */
  async change<T>(decide: (allocated: Bitmap) => T): Promise<T> {
    let result: T | undefined;
    await this.#store.update(this.#key, (current) => {
      const allocated = this.#bitmapOf(current?.object as StoredAllocation | undefined);
      const before = allocated.text;
      result = decide(allocated);
      return allocated.text === before && current
        ? { action: 'keep' }
        : { action: 'write', object: this.#stored(allocated) };
    });
    return result as T;
  }

  /** Replaces the record, also one of another range, unless it is right already. */
  async replace(decide: (before: Bitmap | undefined) => Bitmap): Promise<void> {
    await this.#store.update(this.#key, (current) => {
      const stored = current?.object as StoredAllocation | undefined;
      const before = stored?.range === this.range.text ? this.#bitmapOf(stored) : undefined;
      const object = this.#stored(decide(before));
      if (stored ? stored.range === object.range && stored.data === object.data : isEmpty(object))
        return { action: 'keep' };
      return { action: 'write', object };
    });
  }

  /** Returns a number that is not allocated; undefined if there is none. */
  free(allocated: Bitmap): number | undefined {
    return allocated.free(this.range.reserved, this.#random);
  }

  #bitmapOf(stored: StoredAllocation | undefined): Bitmap {
    if (stored && stored.range !== this.range.text)
      throw new Error('the provided network does not match the current range');
    return new Bitmap(this.range.size, stored?.data);
  }

  #stored(allocated: Bitmap): StoredAllocation {
    const { name, text } = this.range;
    return {
      apiVersion: 'v1',
      kind: 'RangeAllocation',
      metadata: { name },
      range: text,
      data: allocated.text,
    };
  }
}

const isEmpty = ({ data }: StoredAllocation): boolean => /^A*=*$/.test(data);
