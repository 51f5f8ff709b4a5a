import type { Entry, SharedEntries } from '../contracts/entry.ts';
import type { EntryIndex } from '../contracts/entry-selection.ts';
import type { KeyValueEvent } from '../contracts/key-value-store.ts';
import { createSortedTree, type EntryTree, rankOf } from './entry-tree.ts';

/** Separates a term from a key; escaped within terms. */
const SEPARATOR = '\u0000';

/**
 * The entries of one index, sorted by term and key. Clones share memory until one of them is modified, so that forks of a store keep
 * their indexes.
 */
export class TermTree {
  readonly index: EntryIndex;
  readonly #tree: EntryTree;
  /** All entries that have a term, by the term, as long as none of them changes. */
  readonly #runs: Map<string, TermRun> = new Map();
  /** The revision of the indexed state. */
  revision: number;

  constructor(index: EntryIndex, revision: number, tree: EntryTree = createSortedTree()) {
    this.index = index;
    this.revision = revision;
    this.#tree = tree;
  }

  /** Number of pairs of term and entry. */
  get size(): number {
    return this.#tree.size;
  }

  clone(): TermTree {
    return new TermTree(this.index, this.revision, this.#tree.clone());
  }

  add(entry: Entry): void {
    for (const term of this.index.termsOf(entry)) {
      this.#runs.delete(term);
      this.#tree.set(startOf(term) + entry.key, entry);
    }
  }

  /** Applies an event of an entry below the prefix. */
  take({ entry, previous }: KeyValueEvent): void {
    if (previous) {
      for (const term of this.index.termsOf(previous)) {
        this.#runs.delete(term);
        this.#tree.delete(startOf(term) + previous.key);
      }
    }
    if (entry) this.add(entry);
  }

  /** Returns the number of entries between two keys, without the second, that have a term. */
  count(term: string, low: string, high: string | undefined): number {
    const [from, to] = boundsOf(term, low, high);
    return rankOf(this.#tree, to) - rankOf(this.#tree, from);
  }

  /** Returns the entries between two keys that have a term, by key: the same object until one of them changes. */
  run(term: string, low: string, high: string | undefined): SharedEntries {
    const cached = this.#runs.get(term);
    if (cached?.low === low && cached.high === high) return cached;
    const entries: Entry[] = [];
    this.visit(term, low, high, (entry) => entries.push(entry) > 0);
    const run: TermRun = { low, high, entries, memo: undefined };
    this.#runs.set(term, run);
    return run;
  }

  /** Visits the entries between two keys that have a term, by key, until a call returns false. */
  visit(term: string, low: string, high: string | undefined, call: (entry: Entry) => boolean): void {
    const [from, to] = boundsOf(term, low, high);
    const stop = { break: 0 };
    this.#tree.forRange(from, to, false, (_, entry) => (call(entry) ? undefined : stop));
  }
}

/** The entries between two keys that have a term. */
interface TermRun extends SharedEntries {
  readonly low: string;
  readonly high: string | undefined;
}

function boundsOf(term: string, low: string, high: string | undefined): [from: string, to: string] {
  const start = startOf(term);
  // nothing sorts between the separator and the next character
  return [start + low, high === undefined ? `${start.slice(0, -1)}\u0001` : start + high];
}

/** Returns the key prefix of a term; no such prefix is a prefix of another. */
function startOf(term: string): string {
  const escaped = term.includes(SEPARATOR) || term.includes('\u0001') ? withoutSeparator(term) : term;
  return escaped + SEPARATOR;
}

const withoutSeparator = (term: string): string =>
  term.replaceAll('\u0001', '\u0001\u0001').replaceAll(SEPARATOR, '\u0001\u0002');
