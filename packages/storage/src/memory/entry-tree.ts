import sortedBTree from 'sorted-btree';
import type { Entry } from '../contracts/entry.ts';

/** Entries sorted by key, in a tree whose clones share unmodified nodes. */
export type EntryTree = sortedBTree.default<string, Entry>;

// The package is CommonJS: some loaders return its namespace, some its default export.
const Tree: typeof sortedBTree.default = 'default' in sortedBTree ? sortedBTree.default : sortedBTree;

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a === b ? 0 : 1);

/** Creates an empty tree. */
export function createSortedTree(): EntryTree {
  return new Tree<string, Entry>(undefined, byCodeUnit);
}

/** Creates a tree of entries with distinct keys. */
export function createEntryTree(entries: Iterable<Entry> = []): EntryTree {
  const tree = createSortedTree();
  for (const entry of entries) tree.set(entry.key, entry);
  return tree;
}

/** The key range of a prefix: from `low` to `high`, exclusive; without `high` to the end. */
export interface KeyBounds {
  readonly low: string;
  readonly high: string | undefined;
}

/** Returns the key range of a prefix that ends with `/`, of a whole key, or of all keys (the empty prefix). */
export function boundsOf(prefix: string): KeyBounds {
  if (prefix === '') return { low: '', high: undefined };
  // `0` is the character after `/`; nothing sorts between a key and that key followed by U+0000
  return { low: prefix, high: prefix.endsWith('/') ? `${prefix.slice(0, -1)}0` : `${prefix}\u0000` };
}

/** Returns whether a key is below a prefix, or equal to it if the prefix is a whole key. */
export function isBelow(prefix: string, key: string): boolean {
  return prefix === '' || prefix.endsWith('/') ? key.startsWith(prefix) : key === prefix;
}

/** Reads a page of a prefix: the entries after `after`, at most `limit`, and the number of remaining keys. */
export function readPage(
  tree: EntryTree,
  prefix: string,
  after: string | undefined,
  limit: number = Number.POSITIVE_INFINITY,
): { entries: Entry[]; remaining: number } {
  const { low, high } = boundsBehind(prefix, after);
  const entries: Entry[] = [];
  if (limit > 0) collect(tree, low, high, limit, entries);
  if (entries.length < limit) return { entries, remaining: 0 };
  const last = entries.at(-1);
  return { entries, remaining: countBetween(tree, last ? `${last.key}\u0000` : low, high) };
}

/** Returns the key range below a prefix and after a key. */
export function boundsBehind(prefix: string, after: string | undefined): KeyBounds {
  const { low, high } = boundsOf(prefix);
  return { low: after !== undefined && after >= low ? `${after}\u0000` : low, high };
}

/** Returns the number of keys between two, without the second. */
export function countBetween(tree: EntryTree, low: string, high: string | undefined): number {
  const end = high === undefined ? tree.size : rankOf(tree, high);
  return Math.max(0, end - rankOf(tree, low));
}

/** Visits the entries between two keys, without the second, until a call returns false. */
export function visitBetween(
  tree: EntryTree,
  low: string,
  high: string | undefined,
  call: (entry: Entry) => boolean,
): void {
  const last = high ?? tree.maxKey();
  if (last === undefined || low > last) return;
  const stop = { break: 0 };
  tree.forRange(low, last, high === undefined, (_, entry) => (call(entry) ? undefined : stop));
}

function collect(tree: EntryTree, low: string, high: string | undefined, limit: number, into: Entry[]): void {
  visitBetween(tree, low, high, (entry) => into.push(entry) < limit);
}

/** A node of `sorted-btree` (pinned): inner nodes know how many pairs are below each child. */
interface TreeNode {
  readonly keys: readonly string[];
  /** In leaves, of which each has a value for each key. */
  readonly values: readonly Entry[];
  readonly children?: readonly TreeNode[];
  size(): number;
}

/** Returns the entry of a key: like `get` of the tree, which calls a function for each key that it compares. */
export function entryAt(tree: EntryTree, key: string): Entry | undefined {
  let node = rootOf(tree);
  while (node.children) {
    const child = node.children[lowerBound(node.keys, key)];
    if (!child) return undefined;
    node = child;
  }
  const at = lowerBound(node.keys, key);
  return node.keys[at] === key ? node.values[at] : undefined;
}

const rootOf = (tree: EntryTree): TreeNode => (tree as unknown as { readonly _root: TreeNode })._root;

/** Returns the number of keys before this one; costs a descent, not a scan. */
export function rankOf(tree: EntryTree, key: string): number {
  let node = rootOf(tree);
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
