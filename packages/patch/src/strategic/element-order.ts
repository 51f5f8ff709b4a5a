import {
  goValue,
  hasMember,
  isJsonArray,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownMember,
  type Steps,
  setMember,
} from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';
import {
  asMap,
  type ItemIdentity,
  identityText,
  interleave,
  isPausePoint,
  itemKind,
  mergeKeyValue,
  partition,
  wrongType,
} from '../json-patch/list-order.ts';
import type { MapMerge, Members } from './map-merge.ts';
import { type FieldStrategy, listField } from './patch-metadata.ts';
import {
  directedField,
  ELEMENT_ORDER_DIRECTIVE,
  isDeletion,
  malformed,
  PATCH_DIRECTIVE,
  withoutDirectives,
} from './strategic-directives.ts';

type List = readonly JsonValue[];

/** Merges a list of the patch into one of the same field. */
export type MergeListField = (
  merge: MapMerge,
  live: List,
  changes: List,
  field: FieldStrategy,
) => Steps<List>;

/**
 * Applies every `$setElementOrder` of a map: merges the lists and sorts them in that order
 * (semantics/patches#strategic-merge-patch).
 */
export function* applyElementOrders(merge: MapMerge, mergeListField: MergeListField): Steps<void> {
  for (const key of Object.keys(merge.rest)) {
    if (key.startsWith(ELEMENT_ORDER_DIRECTIVE)) yield* applyElementOrder(merge, key, mergeListField);
  }
}

function* applyElementOrder(merge: MapMerge, key: string, mergeListField: MergeListField): Steps<void> {
  const { schema, result, rest } = merge;
  const order = rest[key] as JsonValue;
  if (!merge.intoObject) keepDirective(result, key, order);
  delete rest[key];
  if (!isJsonArray(order)) throw wrongType('[]interface {}', order);
  const name = directedField(key, ELEMENT_ORDER_DIRECTIVE);
  const live = optionalList(result, name);
  const changes = optionalList(rest, name);
  const field = listField(schema, name);
  yield* requireElementOrder(changes ?? [], order, field.mergeKey);
  if (!live && !changes) return;
  const merged =
    live && changes ? yield* mergeListField(merge, live, changes, field) : yield* eitherList(live, changes);
  const identity: ItemIdentity = { mergeKey: field.mergeKey, kind: field.mergeKey === '' ? 'scalar' : 'map' };
  const [patchItems, liveItems] = yield* partition(merged, order, identity);
  const orders = { patchItems, patchOrder: order, liveItems, liveOrder: live ?? [] };
  // Only the field says whether items are identified by a key, but the items say whether they are maps.
  const kind = itemKind(live ?? [], changes ?? []);
  setMember(result, name, yield* interleave(orders, { mergeKey: field.mergeKey, kind }));
  delete rest[name];
}

function keepDirective(result: Members, key: string, order: JsonValue): void {
  const other = ownMember(result, key);
  if (other === undefined) setMember(result, key, order);
  else if (!jsonEqual(other, order)) throw malformed(ELEMENT_ORDER_DIRECTIVE);
}

function optionalList(members: JsonObject, name: string): List | undefined {
  const value = ownMember(members, name);
  if (value !== undefined && !isJsonArray(value)) throw wrongType('[]interface {}', value);
  return value;
}

function* eitherList(live: List | undefined, changes: List | undefined): Steps<List> {
  return live ?? ((yield* withoutDirectives(changes ?? [])) as List);
}

/** The order must contain every item of the patch, in the patch's own order, except deletions. */
function* requireElementOrder(changes: List, order: List, mergeKey: string): Steps<void> {
  if (order.length === 0 || changes.length === 0) return;
  const items = mergeKey === '' ? changes : changes.filter((item) => !isDeletion(asMap(item)));
  let next = 0;
  const skipDirected = () => {
    while (next < items.length && isDirected(items[next] as JsonValue)) next++;
  };
  for (const [index, ordered] of order.entries()) {
    if (isPausePoint(index)) yield;
    skipDirected();
    if (next >= items.length) return;
    if (namesSame(items[next] as JsonValue, ordered, mergeKey)) next++;
  }
  if (next >= items.length) return;
  const text = `The order in patch list:\n${goValue(changes)}\n doesn't match ${ELEMENT_ORDER_DIRECTIVE} list:\n${goValue(order)}\n`;
  throw new PatchError('bad-request', text);
}

function isDirected(item: JsonValue): boolean {
  return typeof item === 'object' && item !== null && !isJsonArray(item) && hasMember(item, PATCH_DIRECTIVE);
}

function namesSame(a: JsonValue, b: JsonValue, mergeKey: string): boolean {
  if (mergeKey === '') return jsonEqual(a, b);
  asMap(a);
  asMap(b);
  const scalars: ItemIdentity = { mergeKey: '', kind: 'scalar' };
  return (
    identityText(mergeKeyValue(a, mergeKey), scalars) === identityText(mergeKeyValue(b, mergeKey), scalars)
  );
}
