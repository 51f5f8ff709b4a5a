/** A list whose reads are counted. */
export interface CountedList<T> {
  readonly list: readonly T[];
  /** How often an item or the length was read. */
  reads(): number;
}

/** Counts the reads of a list, for tests of work that is to be linear in it. */
export function createCountedList<T>(items: readonly T[]): CountedList<T> {
  let reads = 0;
  const list = new Proxy(items, {
    get(target, name) {
      reads += 1;
      return Reflect.get(target, name);
    },
  });
  return { list, reads: () => reads };
}
