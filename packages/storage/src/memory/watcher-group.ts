import type { EntryCondition, EntryIndex } from '../contracts/entry-selection.ts';
import type { KeyValueEvent, WatchObserver } from '../contracts/key-value-store.ts';

/** Events that are delivered together. */
export interface Batch {
  readonly events: KeyValueEvent[];
  /** Whether nobody has received it: more may be added. */
  isOpen: boolean;
}

/** One watch: its undelivered events, and whether it has ended. */
export interface Watcher {
  readonly after: number;
  readonly observer: WatchObserver;
  pending: Batch[];
  /** Whether its observer knows that there are events, and will ask for them. */
  isAnnounced: boolean;
  /** Undelivered progress. */
  progress: number | undefined;
  failure: Error | undefined;
  ended: boolean;
}

/** The watchers of one prefix: those without a condition, and the others by the terms of their condition. */
export class WatcherGroup {
  /** Those without a condition that receive each event as soon as possible. */
  readonly prompt: Set<Watcher> = new Set();
  /** Those without a condition that ask for their events: an event is added once to the batch that all of them wait for. */
  readonly patient: Set<Watcher> = new Set();
  /** The last batch of all patient watchers. */
  shared: Batch | undefined;
  readonly #byTerm: Map<EntryIndex, Map<string, Set<Watcher>>> = new Map();

  /** Whether any watcher has a condition. */
  get isConditional(): boolean {
    return this.#byTerm.size > 0;
  }

  get isEmpty(): boolean {
    return this.prompt.size === 0 && this.patient.size === 0 && this.#byTerm.size === 0;
  }

  watchers(): Watcher[] {
    const found = new Set([...this.prompt, ...this.patient]);
    for (const terms of this.#byTerm.values()) {
      for (const watchers of terms.values()) for (const watcher of watchers) found.add(watcher);
    }
    return [...found];
  }

  add(watcher: Watcher, concerning: EntryCondition | undefined): void {
    if (!concerning) {
      this.#unconditional(watcher).add(watcher);
      // what follows is for the new watcher, too
      this.shared = undefined;
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
    if (!concerning) return this.#unconditional(watcher).delete(watcher);
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

  #unconditional({ observer }: Watcher): Set<Watcher> {
    return observer.arrived ? this.patient : this.prompt;
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
