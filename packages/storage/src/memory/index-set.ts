import type { EntryIndex } from '../contracts/entry-selection.ts';
import { boundsOf, type EntryTree, isBelow, visitBetween } from './entry-tree.ts';
import type { EventHistory } from './event-history.ts';
import { TermTree } from './term-tree.ts';

/** Maximum number of indexes; the least recently used one is dropped first. */
const MAXIMUM_INDEXES = 64;

/**
 * The indexes of a store that are in use. They do not slow down writes: an index is brought up to date from the history when it is used, and
 * built again if the history does not reach back.
 */
export class IndexSet {
  readonly #trees: Map<EntryIndex, TermTree> = new Map();

  /** Number of indexes, and of pairs of term and entry in them. */
  get usage(): { readonly indexes: number; readonly indexTerms: number } {
    let indexTerms = 0;
    for (const tree of this.#trees.values()) indexTerms += tree.size;
    return { indexes: this.#trees.size, indexTerms };
  }

  /** Returns an index of the newest state, which is `head` at `revision`. */
  newest(index: EntryIndex, head: EntryTree, revision: number, history: EventHistory): TermTree {
    const cached = this.#trees.get(index);
    const isCurrent = cached && cached.revision >= history.oldest && catchesUp(cached, revision, history);
    const tree = isCurrent ? cached : build(index, head, revision);
    this.#trees.delete(index);
    this.#trees.set(index, tree);
    this.#drop(history.oldest);
    return tree;
  }

  fork(): IndexSet {
    const fork = new IndexSet();
    for (const [index, tree] of this.#trees) fork.#trees.set(index, tree.clone());
    return fork;
  }

  /** Drops indexes that the history cannot bring up to date any more. */
  #drop(oldest: number): void {
    for (const [index, { revision }] of this.#trees) {
      if (revision >= oldest && this.#trees.size <= MAXIMUM_INDEXES) continue;
      this.#trees.delete(index);
    }
  }
}

function build(index: EntryIndex, head: EntryTree, revision: number): TermTree {
  const tree = new TermTree(index, revision);
  const { low, high } = boundsOf(index.prefix);
  visitBetween(head, low, high, (entry) => {
    tree.add(entry);
    return true;
  });
  return tree;
}

/** Returns false if a past entry cannot be read. */
function catchesUp(tree: TermTree, revision: number, history: EventHistory): boolean {
  if (tree.revision === revision) return true;
  try {
    for (const event of history.after(tree.revision)) {
      if (isBelow(tree.index.prefix, event.key)) tree.take(event);
    }
  } catch {
    return false;
  }
  tree.revision = revision;
  return true;
}
