import { isJsonObject, type JsonValue } from '@ashlar/core';

const SYMBOL = /^<(uid|rv):\d+>$/;

/**
 * Gives what was seen in a scenario the symbols of the recording. Recordings replace uids and resource versions by symbols that are
 * numbered in order of appearance, so that equal stays equal; a request that the recorded server made and that no step compares takes a
 * number too. A symbol that was seen stands for one of the recording, and for no other, from the first step in which both have the same place.
 */
export class RecordedSymbols {
  readonly #recorded: Map<string, string> = new Map();
  readonly #taken: Set<string> = new Set();

  /** Returns what was seen, with the recording's symbols. */
  rename(expected: JsonValue | undefined, seen: JsonValue): JsonValue {
    this.#match(expected, seen);
    return this.#renamed(seen);
  }

  #match(expected: JsonValue | undefined, seen: JsonValue | undefined): void {
    if (typeof expected === 'string' && typeof seen === 'string') this.#matchTexts(expected, seen);
    else if (Array.isArray(expected) && Array.isArray(seen))
      for (const [index, value] of expected.entries()) this.#match(value, seen[index]);
    else if (isJsonObject(expected ?? null) && isJsonObject(seen ?? null))
      for (const [name, value] of Object.entries(expected as object))
        this.#match(value, (seen as { readonly [name: string]: JsonValue | undefined })[name]);
  }

  #matchTexts(expected: string, seen: string): void {
    const kind = SYMBOL.exec(expected)?.[1];
    if (kind === undefined || SYMBOL.exec(seen)?.[1] !== kind) return;
    if (this.#recorded.has(seen) || this.#taken.has(expected)) return;
    this.#recorded.set(seen, expected);
    this.#taken.add(expected);
  }

  #renamed(value: JsonValue): JsonValue {
    if (typeof value === 'string')
      return SYMBOL.test(value) ? (this.#recorded.get(value) ?? `${value} without counterpart`) : value;
    if (Array.isArray(value)) return value.map((item) => this.#renamed(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.#renamed(item as JsonValue)]),
    );
  }
}
