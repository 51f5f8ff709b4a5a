import type { EntryCondition, EntryIndex } from '../contracts/entry-selection.ts';
import type { KeyValueEvent, WatchObserver } from '../contracts/key-value-store.ts';

/** One watch: its undelivered events, and whether it has ended. */
export interface Watcher {
  readonly after: number;
  readonly observer: WatchObserver;
  pending: KeyValueEvent[];
  /** Undelivered progress. */
  progress: number | undefined;
  failure: Error | undefined;
  ended: boolean;
}

/** The watchers of one prefix: those without a condition, and the others by the terms of their condition. */
export class WatcherGroup {
  readonly unconditional: Set<Watcher> = new Set();
  readonly #byTerm: Map<EntryIndex, Map<string, Set<Watcher>>> = new Map();

  /** Whether any watcher has a condition. */
  get isConditional(): boolean {
    return this.#byTerm.size > 0;
  }

  get isEmpty(): boolean {
    return this.unconditional.size === 0 && this.#byTerm.size === 0;
  }

  watchers(): Watcher[] {
    const found = new Set(this.unconditional);
    for (const terms of this.#byTerm.values()) {
      for (const watchers of terms.values()) for (const watcher of watchers) found.add(watcher);
    }
    return [...found];
  }

  add(watcher: Watcher, concerning: EntryCondition | undefined): void {
    if (!concerning) {
      this.unconditional.add(watcher);
      return;
    }
    const { index, anyOf } = concerning;
    let terms = this.#byTerm.get(index);
    if (!terms) {
      terms = new Map();
      this.#byTerm.set(index, terms);
    }
    for (const term of anyOf) {
      const watchers = terms.get(term);
      if (watchers) watchers.add(watcher);
      else terms.set(term, new Set([watcher]));
    }
  }

  /** Removes a watcher; returns whether it was present. */
  remove(watcher: Watcher, concerning: EntryCondition | undefined): boolean {
    if (!concerning) return this.unconditional.delete(watcher);
    const { index, anyOf } = concerning;
    const terms = this.#byTerm.get(index);
    let wasThere = false;
    for (const term of anyOf) {
      const watchers = terms?.get(term);
      if (!watchers?.delete(watcher)) continue;
      wasThere = true;
      if (watchers.size === 0) terms?.delete(term);
    }
    if (terms?.size === 0) this.#byTerm.delete(index);
    return wasThere;
  }

  /** Visits the watchers whose condition matches the previous or the new entry; some more than once. */
  visitConcerned(event: KeyValueEvent, call: (watcher: Watcher) => void): void {
    for (const [index, watchers] of this.#byTerm) {
      const terms = termsOf(index, event) ?? watchers.keys();
      for (const term of terms) for (const watcher of watchers.get(term) ?? []) call(watcher);
    }
  }
}

/** Returns the terms of the previous and the new entry; undefined if one cannot be read. */
function termsOf(index: EntryIndex, { entry, previous }: KeyValueEvent): readonly string[] | undefined {
  try {
    return [...(previous ? index.termsOf(previous) : []), ...(entry ? index.termsOf(entry) : [])];
  } catch {
    return undefined;
  }
}
