import { goValue, isJsonObject, type JsonObject, type JsonValue, jsonEqual, ownMember } from '@ashlar/core';
import { itemKind, mergeKeyValue, scalarText, sortByOrder } from '../json-patch/list-order.ts';
import type { FieldStrategy } from './patch-metadata.ts';
import { PATCH_DIRECTIVE } from './strategic-directives.ts';

type List = readonly JsonValue[];

/** Parts that a difference contains. */
export interface DiffOptions {
  /** Whether lists get a `$setElementOrder`. */
  readonly elementOrder: boolean;
  readonly changes: boolean;
  readonly deletions: boolean;
  /** Called with each compared list of scalars and its sorted form, which later differences use. */
  readonly onSorted?: (list: List, sorted: List) => void;
}

/** The parts of a patch that turn one merged list into another. */
export interface ListDiff {
  /** Items to add and change, and maps to delete. */
  readonly patch: List;
  /** Scalars to delete. */
  readonly deletions: List;
  readonly order: List;
}

const NOTHING: ListDiff = { patch: [], deletions: [], order: [] };

/** Compares the maps that have a merge key in common. */
export type DiffItems = (original: JsonObject, modified: JsonObject) => Record<string, JsonValue | undefined>;

/** The difference of two lists whose strategy is `merge`. */
export function diffLists(
  original: List,
  modified: List,
  field: FieldStrategy,
  options: DiffOptions,
  diffItems: DiffItems,
): ListDiff {
  if (original.length === 0) return options.changes ? { ...NOTHING, patch: modified } : NOTHING;
  return itemKind(original, modified) === 'map'
    ? diffMapLists(original, modified, field.mergeKey, options, diffItems)
    : diffScalarLists(original, modified, options);
}

function diffMapLists(
  original: List,
  modified: List,
  mergeKey: string,
  options: DiffOptions,
  diffItems: DiffItems,
): ListDiff {
  const { changed, deleted } = walkMaps(original, modified, mergeKey, options, diffItems);
  const patch = [...sortByOrder(changed, modified, { mergeKey, kind: 'map' }), ...deleted];
  const ordered = options.changes && !isOrderSame(original, modified, mergeKey);
  const needsOrder = options.elementOrder && (ordered || patch.length > 0);
  const order = needsOrder ? modified.map((item) => ({ [mergeKey]: mergeKeyValue(item, mergeKey) })) : [];
  return { patch, deletions: [], order };
}

interface MapListChanges {
  readonly changed: JsonValue[];
  readonly deleted: JsonValue[];
}

function walkMaps(
  original: List,
  modified: List,
  mergeKey: string,
  options: DiffOptions,
  diffItems: DiffItems,
): MapListChanges {
  const changed: JsonValue[] = [];
  const deleted: JsonValue[] = [];
  const keyOf = (item: JsonValue | undefined) =>
    item === undefined ? undefined : mergeKeyValue(item, mergeKey);
  walkSorted(sortMaps(original, mergeKey), sortMaps(modified, mergeKey), keyOf, (before, after) => {
    if (before === undefined) {
      if (options.changes && after !== undefined) changed.push(after);
    } else if (after === undefined) {
      if (options.deletions)
        deleted.push({ [mergeKey]: mergeKeyValue(before, mergeKey), [PATCH_DIRECTIVE]: 'delete' });
    } else {
      const patch = diffItems(before as JsonObject, after as JsonObject);
      if (Object.keys(patch).length === 0) return;
      patch[mergeKey] = mergeKeyValue(after, mergeKey);
      changed.push(patch as JsonObject);
    }
  });
  return { changed, deleted };
}

function diffScalarLists(original: List, modified: List, options: DiffOptions): ListDiff {
  const sorted = sortScalars(original);
  options.onSorted?.(original, sorted);
  const added: JsonValue[] = [];
  const deleted = new Map<string, JsonValue>();
  walkSorted(
    sorted,
    sortScalars(modified),
    (item) => item,
    (before, after) => {
      if (before === undefined) {
        if (options.changes && after !== undefined) added.push(after);
      } else if (after === undefined && options.deletions) deleted.set(scalarText(before), before);
    },
  );
  const deletions = [...deleted.values()];
  // The original counts as sorted here: an unsorted list gets an order although nothing changes.
  const ordered = options.changes && !jsonEqual(sorted, modified);
  const order = options.elementOrder && (ordered || deletions.length > 0) ? modified : [];
  return { patch: sortByOrder(added, modified, { mergeKey: '', kind: 'scalar' }), deletions, order };
}

/** Traverses two sorted lists at once and pairs items with equal keys. */
function walkSorted(
  originals: List,
  modifieds: List,
  keyOf: (item: JsonValue | undefined) => JsonValue | undefined,
  visit: (before: JsonValue | undefined, after: JsonValue | undefined) => void,
): void {
  let original = 0;
  let modified = 0;
  while (original < originals.length || modified < modifieds.length) {
    const order = compareKeys(keyOf(originals[original]), keyOf(modifieds[modified]));
    visit(order <= 0 ? originals[original] : undefined, order >= 0 ? modifieds[modified] : undefined);
    if (order <= 0) original++;
    if (order >= 0) modified++;
  }
}

/** Compares as text; removed items come last. */
function compareKeys(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return compareTexts(goValue(a), goValue(b));
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function sortMaps(list: List, mergeKey: string): JsonValue[] {
  return sortByText(list, (item) => (isJsonObject(item) ? (ownMember(item, mergeKey) ?? null) : null));
}

/** Scalars sorted by their text. */
export function sortScalars(list: List): JsonValue[] {
  return sortByText(list, (item) => item);
}

/** Equal texts come in reverse, as in the recorded responses for lists of realistic length. */
function sortByText(list: List, keyOf: (item: JsonValue) => JsonValue): JsonValue[] {
  const keyed = list.map((item) => ({ item, text: goValue(keyOf(item)) }));
  return keyed
    .reverse()
    .sort((a, b) => compareTexts(a.text, b.text))
    .map(({ item }) => item);
}

function isOrderSame(original: List, modified: List, mergeKey: string): boolean {
  if (original.length !== modified.length) return false;
  return original.every((item, index) => {
    const other = modified[index] as JsonValue;
    return scalarText(mergeKeyValue(item, mergeKey)) === scalarText(mergeKeyValue(other, mergeKey));
  });
}
