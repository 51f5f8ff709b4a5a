import sortedBTree from 'sorted-btree';
import type { Entry } from './key-value-store.ts';

/** Entries sorted by key, in a tree whose clones share what neither side has changed since. */
export type EntryTree = sortedBTree.default<string, Entry>;

// The package is CommonJS: some loaders hand over its namespace, some what it calls its default.
const Tree: typeof sortedBTree.default = 'default' in sortedBTree ? sortedBTree.default : sortedBTree;

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a === b ? 0 : 1);

/** A tree of these entries, whose keys must differ. */
export function createEntryTree(entries: Iterable<Entry> = []): EntryTree {
  const tree: EntryTree = new Tree<string, Entry>(undefined, byCodeUnit);
  for (const entry of entries) tree.set(entry.key, entry);
  return tree;
}

/** Where the keys of a prefix lie: from `low` on, up to and without `high`; without `high` to the end. */
interface KeyBounds {
  readonly low: string;
  readonly high: string | undefined;
}

/** The bounds of a prefix that ends with `/`, of a whole key, or of everything (the empty prefix). */
function boundsOf(prefix: string): KeyBounds {
  if (prefix === '') return { low: '', high: undefined };
  // `0` is the character behind `/`; a key and the key with U+0000 behind it have nothing between them.
  return { low: prefix, high: prefix.endsWith('/') ? `${prefix.slice(0, -1)}0` : `${prefix}\u0000` };
}

/** Whether a key lies below a prefix: behind its `/`, or equal to it where the prefix is a whole key. */
export function isBelow(prefix: string, key: string): boolean {
  return prefix === '' || prefix.endsWith('/') ? key.startsWith(prefix) : key === prefix;
}

/** A page of a prefix: the entries behind `after`, at most `limit`, and how many keys remain behind the last. */
export function readPage(
  tree: EntryTree,
  prefix: string,
  after: string | undefined,
  limit: number = Number.POSITIVE_INFINITY,
): { entries: Entry[]; remaining: number } {
  const { low, high } = boundsOf(prefix);
  const from = after !== undefined && after >= low ? `${after}\u0000` : low;
  const entries: Entry[] = [];
  if (limit > 0) collect(tree, from, high, limit, entries);
  if (entries.length < limit) return { entries, remaining: 0 };
  const last = entries.at(-1);
  const end = high === undefined ? tree.size : rankOf(tree, high);
  const behind = rankOf(tree, last ? `${last.key}\u0000` : from);
  return { entries, remaining: Math.max(0, end - behind) };
}

function collect(tree: EntryTree, low: string, high: string | undefined, limit: number, into: Entry[]): void {
  const last = high ?? tree.maxKey();
  if (last === undefined || low > last) return;
  const full = { break: 0 };
  tree.forRange(low, last, high === undefined, (_, entry) => {
    into.push(entry);
    return into.length === limit ? full : undefined;
  });
}

/** A node as `sorted-btree` (pinned) keeps it: inner nodes know how many pairs lie below each child. */
interface TreeNode {
  readonly keys: readonly string[];
  readonly children?: readonly TreeNode[];
  size(): number;
}

/** How many keys sort before this one; costs a descent, not a scan. */
export function rankOf(tree: EntryTree, key: string): number {
  let node = (tree as unknown as { readonly _root: TreeNode })._root;
  let rank = 0;
  while (node.children) {
    const at = lowerBound(node.keys, key);
    for (let i = 0; i < at; i++) rank += node.children[i]?.size() ?? 0;
    const child = node.children[at];
    if (!child) return rank;
    node = child;
  }
  return rank + lowerBound(node.keys, key);
}

function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
