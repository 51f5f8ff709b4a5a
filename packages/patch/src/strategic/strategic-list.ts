import { isJsonObject, type JsonObject, type JsonValue, ownMember, type Steps } from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';
import {
  type ItemIdentity,
  identityText,
  interleave,
  isPausePoint,
  itemKind,
  mergeKeyValue,
  noMergeKey,
  partition,
  scalarText,
} from '../json-patch/list-order.ts';
import { type FieldStrategy, goKind } from './patch-metadata.ts';
import { PATCH_DIRECTIVE, unknownDirective } from './strategic-directives.ts';

type List = readonly JsonValue[];

/** How items that are in both lists are merged with each other. */
export type MergeItems = (original: JsonObject, patch: JsonObject) => Steps<JsonObject>;

/**
 * Merges a patch's list into a list: maps by merge key, scalars as sets
 * (semantics/patches#strategic-merge-patch).
 *
 * @throws PatchError if items are of different types, lack the merge key, or have a `$patch` that lists do
 * not support
 */
export function* mergeLists(
  original: List,
  patch: List,
  field: FieldStrategy,
  mergeItems: MergeItems,
): Steps<List> {
  if (original.length === 0 && patch.length === 0) return original;
  const identity: ItemIdentity = { mergeKey: field.mergeKey, kind: itemKind(original, patch) };
  if (identity.kind === 'scalar') {
    const merged = yield* uniqueItems(original.concat(patch), identity);
    return yield* inOrder(merged, original, patch, scalarIdentity(field));
  }
  if (field.mergeKey === '') {
    const text = `cannot merge lists without merge key for ${goKind(field.schema)}`;
    throw new PatchError('bad-request', text);
  }
  const { live, changes } = applyItemDirectives(original, patch, field.mergeKey);
  const merged = yield* mergeByKey(live, changes, identity, mergeItems);
  return yield* inOrder(merged, live, changes, identity);
}

/** A field with a merge key treats its items as maps even if they are scalars, and reports it. */
function scalarIdentity({ mergeKey }: FieldStrategy): ItemIdentity {
  return { mergeKey, kind: mergeKey === '' ? 'scalar' : 'map' };
}

function* inOrder(merged: List, live: List, changes: List, identity: ItemIdentity): Steps<List> {
  const [patchItems, liveItems] = yield* partition(merged, changes, identity);
  return yield* interleave({ patchItems, patchOrder: changes, liveItems, liveOrder: live }, identity);
}

function* uniqueItems(items: List, identity: ItemIdentity): Steps<JsonValue[]> {
  const unique = new Map<string, JsonValue>();
  for (const [index, item] of items.entries()) {
    if (isPausePoint(index)) yield;
    const text = identityText(item, identity);
    if (!unique.has(text)) unique.set(text, item);
  }
  return [...unique.values()];
}

/** Removes scalars from a list. */
export function removeFromList(original: List, removed: List): List {
  const texts = new Set(removed.map(scalarText));
  return original.filter((item) => !texts.has(scalarText(item)));
}

function applyItemDirectives(original: List, patch: List, mergeKey: string): { live: List; changes: List } {
  const changes: JsonValue[] = [];
  const deleted = new Set<string>();
  let replaced = false;
  for (const item of patch as readonly JsonObject[]) {
    const directive = ownMember(item, PATCH_DIRECTIVE);
    if (directive === undefined) changes.push(item);
    else if (directive === 'delete') deleted.add(scalarText(mergeKeyValue(item, mergeKey)));
    else if (directive === 'replace') replaced = true;
    else if (directive === 'merge')
      throw new PatchError('bad-request', 'merging lists cannot yet be specified in the patch');
    else throw unknownDirective(directive, item);
  }
  if (replaced) return { live: changes, changes: [] };
  const live = original.filter((item) => !deleted.has(keyText(item as JsonObject, mergeKey)));
  return { live, changes };
}

function keyText(item: JsonObject, mergeKey: string): string {
  return scalarText(ownMember(item, mergeKey));
}

function* mergeByKey(
  live: List,
  changes: List,
  identity: ItemIdentity,
  mergeItems: MergeItems,
): Steps<JsonValue[]> {
  const merged = [...live] as JsonObject[];
  const positions = new Map<string, number>();
  for (const [index, item] of merged.entries()) {
    if (isPausePoint(index)) yield;
    rememberFirst(positions, keyText(item, identity.mergeKey), index);
  }
  for (const [index, change] of (changes as readonly JsonObject[]).entries()) {
    if ((index & 127) === 127) yield;
    if (ownMember(change, identity.mergeKey) === undefined) throw noMergeKey(change, identity.mergeKey);
    const text = keyText(change, identity.mergeKey);
    const position = positions.get(text);
    const item = position === undefined ? undefined : merged[position];
    if (position === undefined || !isJsonObject(item)) {
      rememberFirst(positions, text, merged.length);
      merged.push(change);
    } else merged[position] = yield* mergeItems(item, change);
  }
  return merged;
}

function rememberFirst(positions: Map<string, number>, text: string, index: number): void {
  if (!positions.has(text)) positions.set(text, index);
}
