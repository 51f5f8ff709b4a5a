import type { Entry } from '../contracts/entry.ts';
import type { EntryIndex } from '../contracts/entry-selection.ts';
import type { KeyValueEvent } from '../contracts/key-value-store.ts';
import { createSortedTree, type EntryTree, rankOf } from './entry-tree.ts';

/** Separates a term from a key; escaped within terms. */
const SEPARATOR = '\u0000';

/**
 * The entries of one index, sorted by term and key. A clone costs nothing until one of the two changes, so that a fork
 * of a store brings its indexes along.
 */
export class TermTree {
  readonly index: EntryIndex;
  readonly #tree: EntryTree;
  /** The state of the store that it tells of. */
  revision: number;

  constructor(index: EntryIndex, revision: number, tree: EntryTree = createSortedTree()) {
    this.index = index;
    this.revision = revision;
    this.#tree = tree;
  }

  /** How many pairs of term and entry there are. */
  get size(): number {
    return this.#tree.size;
  }

  clone(): TermTree {
    return new TermTree(this.index, this.revision, this.#tree.clone());
  }

  add(entry: Entry): void {
    for (const term of this.index.termsOf(entry)) this.#tree.set(startOf(term) + entry.key, entry);
  }

  /** Takes what has happened to an entry below the prefix. */
  take({ entry, previous }: KeyValueEvent): void {
    if (previous) {
      for (const term of this.index.termsOf(previous)) this.#tree.delete(startOf(term) + previous.key);
    }
    if (entry) this.add(entry);
  }

  /** How many entries between two keys, without the second, have a term. */
  count(term: string, low: string, high: string | undefined): number {
    const [from, to] = boundsOf(term, low, high);
    return rankOf(this.#tree, to) - rankOf(this.#tree, from);
  }

  /** Calls with the entries between two keys that have a term, by key, until a call answers false. */
  visit(term: string, low: string, high: string | undefined, call: (entry: Entry) => boolean): void {
    const [from, to] = boundsOf(term, low, high);
    const stop = { break: 0 };
    this.#tree.forRange(from, to, false, (_, entry) => (call(entry) ? undefined : stop));
  }
}

function boundsOf(term: string, low: string, high: string | undefined): [from: string, to: string] {
  const start = startOf(term);
  // behind the separator comes nothing that sorts before the next character
  return [start + low, high === undefined ? `${start.slice(0, -1)}\u0001` : start + high];
}

/** What the keys of a term begin with: no two terms have beginnings of which one begins with the other. */
function startOf(term: string): string {
  const escaped = term.includes(SEPARATOR) || term.includes('\u0001') ? withoutSeparator(term) : term;
  return escaped + SEPARATOR;
}

const withoutSeparator = (term: string): string =>
  term.replaceAll('\u0001', '\u0001\u0001').replaceAll(SEPARATOR, '\u0001\u0002');
