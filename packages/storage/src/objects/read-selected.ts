import type { Entry, SharedEntries } from '../contracts/entry.ts';
import { type EntrySelection, matchesCondition, selects } from '../contracts/entry-selection.ts';
import {
  boundsBehind,
  countBetween,
  type EntryTree,
  type KeyBounds,
  visitBetween,
} from '../memory/entry-tree.ts';
import type { TermTree } from '../memory/term-tree.ts';

/** Up to this many keys are matched one by one, without an index. */
const FEW = 64;

/** The part of a state to read. */
export interface SelectedRange {
  readonly prefix: string;
  readonly after: string | undefined;
  /** Selects entries. */
  readonly limit: number;
  readonly selection: EntrySelection;
}

/** How a state differs from the newest one, which the indexes describe. */
export interface SelectedState {
  /** The state to read. */
  readonly tree: EntryTree;
  /** Maximum number of changes between that state and the newest. */
  readonly distance: number;
  /** Returns the keys below a prefix that have changed since. */
  readonly changed: () => ReadonlySet<string>;
  /** Returns an index of the newest state. */
  readonly termTree: (condition: EntrySelection['conditions'][number]) => TermTree;
}

/** The selected entries of a page, in an array that is shared if they are all that are selected, and by one term alone. */
export interface SelectedPage {
  readonly entries: readonly Entry[];
  readonly remaining: number;
  readonly shared?: SharedEntries;
}

/** Like {@link readPage} for selected entries; if the page is not full, nothing remains. */
export function readSelected(range: SelectedRange, state: SelectedState): SelectedPage {
  const { prefix, after, limit, selection } = range;
  const { tree } = state;
  const bounds = boundsBehind(prefix, after);
  const raw = countBetween(tree, bounds.low, bounds.high);
  if (limit <= 0) return { entries: [], remaining: raw };
  const fits = selection.conditions.length > 0 && raw > FEW && state.distance * 4 < raw;
  const read = fits ? bySmallestIndex(range, bounds, state) : byScan(tree, bounds, limit, selection);
  const last = read.entries[limit - 1];
  const remaining = last ? countBetween(tree, `${last.key}\u0000`, bounds.high) : 0;
  return { remaining, ...read };
}

type Read = Omit<SelectedPage, 'remaining'>;

function byScan(tree: EntryTree, { low, high }: KeyBounds, limit: number, selection: EntrySelection): Read {
  const entries: Entry[] = [];
  visitBetween(tree, low, high, (entry) => {
    if (selects(selection, entry)) entries.push(entry);
    return entries.length < limit;
  });
  return { entries };
}

/** One way to find candidates, and their number. */
interface Candidates {
  readonly condition: EntrySelection['conditions'][number];
  readonly tree: TermTree;
  readonly count: number;
}

function bySmallestIndex({ limit, selection }: SelectedRange, bounds: KeyBounds, state: SelectedState): Read {
  const chosen = smallest(selection, bounds, state);
  if (state.distance === 0 && selection.conditions.length === 1 && !selection.matches) {
    const shared = onlyRun(chosen, bounds);
    if (shared && shared.entries.length <= limit) return { entries: shared.entries, shared };
  }
  const rest = selection.conditions.filter((condition) => condition !== chosen.condition);
  const { matches } = selection;
  const passes = (entry: Entry): boolean =>
    rest.every((condition) => matchesCondition(condition, entry)) && (matches?.(entry) ?? true);
  if (state.distance === 0) return { entries: current(chosen, bounds, limit, passes) };
  const changed = state.changed();
  const entries = current(chosen, bounds, limit, (entry) => !changed.has(entry.key) && passes(entry));
  for (const key of changed) {
    const entry = isWithin(bounds, key) ? state.tree.get(key) : undefined;
    if (entry && selects(selection, entry)) entries.push(entry);
  }
  return { entries: entries.sort(byKey).slice(0, limit) };
}

/** Returns all entries that a condition selects, if only one of its terms selects any. */
function onlyRun(
  { condition, tree, count }: Candidates,
  { low, high }: KeyBounds,
): SharedEntries | undefined {
  const term = condition.anyOf.find((one) => tree.count(one, low, high) === count);
  return term === undefined ? undefined : tree.run(term, low, high);
}

function smallest(
  { conditions }: EntrySelection,
  { low, high }: KeyBounds,
  state: SelectedState,
): Candidates {
  let best: Candidates | undefined;
  for (const condition of conditions) {
    const tree = state.termTree(condition);
    const count = condition.anyOf.reduce((sum, term) => sum + tree.count(term, low, high), 0);
    if (!best || count < best.count) best = { condition, tree, count };
  }
  return best as Candidates;
}

/** Returns the matching entries of the newest state by key. */
function current(
  { condition, tree }: Candidates,
  { low, high }: KeyBounds,
  limit: number,
  passes: (entry: Entry) => boolean,
): Entry[] {
  const found: Entry[][] = condition.anyOf.map((term) => {
    const entries: Entry[] = [];
    tree.visit(term, low, high, (entry) => {
      if (passes(entry)) entries.push(entry);
      return entries.length < limit;
    });
    return entries;
  });
  const lists = found.filter((entries) => entries.length > 0);
  if (lists.length <= 1) return lists[0] ?? [];
  // an entry with several of the terms is found several times
  return [...new Set(lists.flat())].sort(byKey).slice(0, limit);
}

const isWithin = ({ low, high }: KeyBounds, key: string): boolean =>
  key >= low && (high === undefined || key < high);

const byKey = (a: Entry, b: Entry): number => (a.key < b.key ? -1 : a.key === b.key ? 0 : 1);
