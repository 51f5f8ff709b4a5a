/** Finds in constant time whether a path or one below it is broken. */
export class BrokenPlaces {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    // The dot makes a path the prefix of those below it, and of no other.
    this.#paths = paths.map((path) => `${path}.`).sort();
  }

  /** Whether a path is broken or contains a broken one. */
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
