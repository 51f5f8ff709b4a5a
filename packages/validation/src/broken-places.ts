/** Finds in constant time whether a place or one within it is broken. */
export class BrokenPlaces {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    // The dot makes a path the start of those within it, and of no other.
    this.#paths = paths.map((path) => `${path}.`).sort();
  }

  /** Whether a path leads to a broken place or around one. */
  has(path: string): boolean {
    const start = `${path}.`;
    let low = 0;
    let high = this.#paths.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#paths[middle] as string) < start) low = middle + 1;
      else high = middle;
    }
    return this.#paths[low]?.startsWith(start) ?? false;
  }
}
