/**
 * Keys of one map that are not text, in hexadecimal. Of those with the same text the one whose bytes sort
 * last counts.
 */
export class BrokenKeys {
  readonly #keys = new Set<string>();
  readonly #last = new Map<string, string>();

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Whether it is the last so far of those with the same `text`. */
  add(key: string, text: string): boolean {
    this.#keys.add(key);
    if ((this.#last.get(text) ?? '') > key) return false;
    this.#last.set(text, key);
    return true;
  }
}
