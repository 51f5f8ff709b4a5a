import {
  goValue,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownMember,
  type Schema,
} from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';
import { itemKind, scalarText } from '../json-patch/list-order.ts';
import { listField, objectField } from './patch-metadata.ts';
import { PATCH_DIRECTIVE, RETAIN_KEYS_DIRECTIVE } from './strategic-directives.ts';
import { sortScalars } from './strategic-list-diff.ts';

type List = readonly JsonValue[];

/** How a field is merged, for conflicts; empty inside lists that do not merge. */
interface Merging {
  readonly schema: Schema | undefined;
  readonly strategy: string;
  readonly mergeKey: string;
}

/** Called with each list of scalars that was compared in any order, and its sorted form. */
export type OnSorted = (list: List, sorted: List) => void;

/** Whether two strategic merge patches of one object set a key to different values. */
export function patchesConflict(a: JsonObject, b: JsonObject, schema: Schema, onSorted: OnSorted): boolean {
  return mapsConflict(a, b, { schema, strategy: '', mergeKey: '' }, onSorted);
}

function valuesConflict(a: JsonValue, b: JsonValue, merging: Merging, onSorted: OnSorted): boolean {
  if (isJsonArray(a)) return !isJsonArray(b) || listsConflict(a, b, merging, onSorted);
  if (isJsonObject(a)) return !isJsonObject(b) || mapsConflict(a, b, merging, onSorted);
  return !jsonEqual(a, b);
}

function mapsConflict(a: JsonObject, b: JsonObject, merging: Merging, onSorted: OnSorted): boolean {
  // A directive applies to the entire map: both must be equal.
  if (ownMember(a, PATCH_DIRECTIVE) !== ownMember(b, PATCH_DIRECTIVE)) return true;
  if (merging.strategy === 'replace') return false;
  return Object.entries(a).some(([key, value]) => {
    const other = ownMember(b, key);
    if (value === undefined || other === undefined) return false;
    if (key === PATCH_DIRECTIVE || key === RETAIN_KEYS_DIRECTIVE) return false;
    return valuesConflict(value, other, memberMerging(merging.schema, key, value), onSorted);
  });
}

function memberMerging(schema: Schema | undefined, key: string, value: JsonValue): Merging {
  if (isJsonArray(value)) return listField(schema ?? {}, key);
  if (isJsonObject(value)) return objectField(schema ?? {}, key);
  return { schema: undefined, strategy: '', mergeKey: '' };
}

function listsConflict(a: List, b: List, merging: Merging, onSorted: OnSorted): boolean {
  const kind = itemKind(a, b);
  const inner: Merging = { schema: merging.schema, strategy: '', mergeKey: '' };
  if (merging.strategy === 'merge') {
    if (kind === 'scalar') return false;
    const others = byMergeKey(b, merging.mergeKey);
    return [...byMergeKey(a, merging.mergeKey)].some(([key, item]) => {
      const other = others.get(key);
      return other !== undefined && valuesConflict(item, other, inner, onSorted);
    });
  }
  if (a.length !== b.length) return true;
  const left = kind === 'scalar' ? distinct(a, onSorted) : a;
  const right = kind === 'scalar' ? distinct(b, onSorted) : b;
  return left.some((item, index) => {
    const other = right[index];
    return other === undefined || valuesConflict(item, other, inner, onSorted);
  });
}

function byMergeKey(list: List, mergeKey: string): Map<string, JsonObject> {
  const items = new Map<string, JsonObject>();
  for (const item of list as readonly JsonObject[]) {
    const key = ownMember(item, mergeKey);
    if (key === undefined) {
      const text = `cannot find merge key \`${mergeKey}\` in merging list element:${goValue(item)}`;
      throw new PatchError('bad-request', text);
    }
    items.set(goValue(key), item);
  }
  return items;
}

/** The list without duplicates, sorted; duplicates stay at the end of the displayed list. */
function distinct(list: List, onSorted: OnSorted): List {
  const items = [...list];
  let length = items.length;
  for (let i = 0; i < length; i++) {
    for (let j = i + 1; j < length; j++) {
      if (scalarText(items[i]) !== scalarText(items[j])) continue;
      items[j] = items[length - 1] as JsonValue;
      length--;
      j--;
    }
  }
  const sorted = sortScalars(items.slice(0, length));
  onSorted(list, [...sorted, ...items.slice(length)]);
  return sorted;
}
