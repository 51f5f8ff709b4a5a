import type { EntryIndex } from '../contracts/entry-selection.ts';
import { boundsOf, type EntryTree, isBelow, visitBetween } from './entry-tree.ts';
import type { EventHistory } from './event-history.ts';
import { TermTree } from './term-tree.ts';

/** Indexes that are kept at once; the one that was not asked for longest goes first. */
const KEPT = 64;

/**
 * The indexes of a store that have been asked for. Writes pay nothing for them: an index takes what has happened since, from the
 * history, when it is asked for again, and is built anew where that is no longer held.
 */
export class IndexSet {
  readonly #trees: Map<EntryIndex, TermTree> = new Map();

  /** How many indexes are held, and how many pairs of term and entry are in them. */
  get holdings(): { readonly indexes: number; readonly indexTerms: number } {
    let indexTerms = 0;
    for (const tree of this.#trees.values()) indexTerms += tree.size;
    return { indexes: this.#trees.size, indexTerms };
  }

  /** An index as of the newest state, which is `head` at `revision`. */
  newest(index: EntryIndex, head: EntryTree, revision: number, history: EventHistory): TermTree {
    const kept = this.#trees.get(index);
    const isCurrent = kept && kept.revision >= history.oldest && catchesUp(kept, revision, history);
    const tree = isCurrent ? kept : build(index, head, revision);
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

  /** What the history cannot bring up to date any more is of no use. */
  #drop(oldest: number): void {
    for (const [index, { revision }] of this.#trees) {
      if (revision >= oldest && this.#trees.size <= KEPT) continue;
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

/** False where the past cannot be read: what could not be may be gone by now. */
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
