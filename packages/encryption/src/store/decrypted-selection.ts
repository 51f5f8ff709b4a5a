import type { Entry, EntryIndex, EntrySelection } from '@ashlar/storage';
import type { DecryptedEntries } from './decrypted-entries.ts';

/** The terms of entries whose data key must first be decrypted: every selection finds them, and they are matched afterwards. */
const PENDING = '\u0000encrypted';

/** Lets an engine evaluate selections of plaintext over its encrypted entries. */
export class DecryptedSelections {
  readonly #entries: DecryptedEntries;
  readonly #indexes: WeakMap<EntryIndex, EntryIndex> = new WeakMap();
  #hasPending: boolean = false;

  constructor(entries: DecryptedEntries) {
    this.#entries = entries;
  }

  /** Whether selections may have found entries that do not match. */
  get isInexact(): boolean {
    return this.#hasPending;
  }

  /** The selection for the engine. */
  over({ conditions, matches }: EntrySelection): EntrySelection {
    return {
      conditions: conditions.map(({ index, anyOf }) => this.condition(index, anyOf)),
      ...(matches && { matches: (entry: Entry) => this.#ifRead(entry, matches, true) }),
    };
  }

  condition(index: EntryIndex, anyOf: readonly string[]): EntrySelection['conditions'][number] {
    return { index: this.#indexOver(index), anyOf: [...anyOf, PENDING] };
  }

  #indexOver(index: EntryIndex): EntryIndex {
    const cached = this.#indexes.get(index);
    if (cached) return cached;
    // an index removes entries by the terms under which it found them, whether they can be read then or not
    const terms = new WeakMap<Entry, readonly string[]>();
    const over: EntryIndex = {
      prefix: index.prefix,
      termsOf: (entry) => {
        const existing = terms.get(entry);
        if (existing) return existing;
        const found = this.#ifRead(entry, (read) => index.termsOf(read), [PENDING]);
        if (this.#entries.isEncrypted(entry)) terms.set(entry, found);
        return found;
      },
    };
    this.#indexes.set(index, over);
    return over;
  }

  #ifRead<T>(entry: Entry, use: (read: Entry) => T, otherwise: T): T {
    const read = this.#entries.read(entry);
    if (!(read instanceof Promise)) return use(read);
    this.#hasPending = true;
    return otherwise;
  }
}
