import {
  goValue,
  hasMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  runAtOnce,
  type Steps,
} from '@ashlar/core';
import { typeText } from '../errors/go-text.ts';
import { PatchError } from '../errors/patch-error.ts';
import { isDeletion } from '../strategic/strategic-directives.ts';

type List = readonly JsonValue[];

/** How items of a merged list are identified: maps by their merge key, scalars by value. */
export interface ItemIdentity {
  /** Empty for scalars. */
  readonly mergeKey: string;
  readonly kind: 'map' | 'scalar';
}

/** A value of an unexpected type, in the words of recorded messages. */
export function wrongType(expected: string, actual: JsonValue): PatchError {
  return new PatchError('bad-request', `expected a ${expected}, but received a ${typeText(actual)}`);
}

/** An item as a map. */
export function asMap(item: JsonValue): JsonObject {
  if (!isJsonObject(item)) throw wrongType('map[string]interface {}', item);
  return item;
}

/** The value of an item's merge key. */
export function mergeKeyValue(item: JsonValue, mergeKey: string): JsonValue {
  const map = asMap(item);
  const value = ownMember(map, mergeKey);
  if (value === undefined) throw noMergeKey(map, mergeKey);
  return value;
}

/** An item that lacks its merge key. */
export function noMergeKey(item: JsonObject, mergeKey: string): PatchError {
  const text = `map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`;
  return new PatchError('bad-request', text);
}

/** Whether to pause behind an item of a list. */
export const isPausePoint = (index: number): boolean => (index & 1023) === 1023;

/** Starts keys of what is no text. A text that starts with it is told apart by its type. */
const NO_TEXT = '\0';

/** A key that equal scalars share and different ones do not, of any type. Of a text it is the text itself, which is made once. */
export function scalarText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value.startsWith(NO_TEXT) ? `${NO_TEXT}string ${value}` : value;
  return value === undefined ? NO_TEXT : `${NO_TEXT}${typeText(value)} ${goValue(value)}`;
}

/** The key of an item of a list. */
export function identityText(item: JsonValue, { kind, mergeKey }: ItemIdentity): string {
  if (kind === 'scalar') return scalarText(item);
  return isJsonObject(item) ? scalarText(ownMember(item, mergeKey) ?? null) : scalarText(null);
}

/** Type of the items of merged lists: all must be of one, and none a list. */
export function itemKind(...lists: readonly List[]): ItemIdentity['kind'] {
  let type: string | undefined;
  for (const list of lists) {
    for (const item of list) {
      const itemType = typeText(item);
      type ??= itemType;
      if (type === '[]interface {}')
        throw new PatchError('unprocessable', 'lists of lists are not supported');
      if (itemType !== type) throw differentTypes(lists);
    }
  }
  if (type === undefined) throw new PatchError('bad-request', 'no elements in any of the given slices');
  return type === 'map[string]interface {}' ? 'map' : 'scalar';
}

function differentTypes(lists: readonly List[]): PatchError {
  return new PatchError('bad-request', `list element types are not identical: ${goValue(lists)}`);
}

/** Splits items into those that another list contains and the rest. */
export function* partition(
  items: List,
  named: List,
  identity: ItemIdentity,
): Steps<[JsonValue[], JsonValue[]]> {
  const isNaming = (item: JsonValue): boolean =>
    identity.kind === 'scalar' || (isJsonObject(item) && hasMember(item, identity.mergeKey));
  const positions = yield* firstPositions(named, identity, isNaming);
  const noMap = identity.kind === 'map' ? named.findIndex((item) => !isJsonObject(item)) : -1;
  const inside: JsonValue[] = [];
  const outside: JsonValue[] = [];
  for (const [index, item] of items.entries()) {
    if (isPausePoint(index)) yield;
    if (identity.kind === 'map') mergeKeyValue(item, identity.mergeKey);
    const position = positions.get(identityText(item, identity));
    if (noMap >= 0 && (position === undefined || position > noMap))
      throw new PatchError('bad-request', `value for key ${noMap} is not a map`);
    (position === undefined ? outside : inside).push(item);
  }
  return [inside, outside];
}

/** Lists and their orders. */
export interface ElementOrders {
  /** Items of the patch, and their requested order. */
  readonly patchItems: List;
  readonly patchOrder: List;
  /** Items of the live object only, and the live order. */
  readonly liveItems: List;
  readonly liveOrder: List;
}

/**
 * Interleaves the items of the patch and the other live items (semantics/patches#strategic-merge-patch): the
 * next live item goes first only if both it and the next item of the patch are in the live list, and it
 * precedes the latter there.
 */
export function* interleave(orders: ElementOrders, identity: ItemIdentity): Steps<JsonValue[]> {
  const patchItems = yield* sortByOrderSteps(orders.patchItems, orders.patchOrder, identity);
  const liveItems = yield* sortByOrderSteps(orders.liveItems, orders.liveOrder, identity);
  const positions = yield* firstPositions(orders.liveOrder, identity);
  const position = (item: JsonValue) => positions.get(identityText(item, identity)) ?? -1;
  const result: JsonValue[] = [];
  let next = 0;
  for (const item of patchItems) {
    const place = position(item);
    for (; next < liveItems.length; next++) {
      const live = liveItems[next] as JsonValue;
      const livePlace = position(live);
      if (place < 0 || livePlace < 0 || livePlace >= place) break;
      result.push(live);
      if (isPausePoint(result.length)) yield;
    }
    result.push(item);
    if (isPausePoint(result.length)) yield;
  }
  return result.concat(liveItems.slice(next));
}

/** Items in the order of another list; items to be deleted go last. */
export function sortByOrder(items: List, order: List, identity: ItemIdentity): JsonValue[] {
  return runAtOnce(sortByOrderSteps(items, order, identity));
}

function* sortByOrderSteps(items: List, order: List, identity: ItemIdentity): Steps<JsonValue[]> {
  if (identity.kind === 'map')
    for (const list of [items, order]) {
      for (const item of list) mergeKeyValue(item, identity.mergeKey);
      if (list.length > 1000) yield;
    }
  const remaining = identity.kind === 'map' ? items.filter((item) => !isDeletion(item)) : items;
  const deleted = identity.kind === 'map' ? items.filter(isDeletion) : [];
  const positions = yield* firstPositions(order, identity);
  const placed: PlacedItem[] = [];
  for (const [index, item] of remaining.entries()) {
    if (isPausePoint(index)) yield;
    placed.push({ item, place: positions.get(identityText(item, identity)) ?? -1 });
  }
  return (yield* sortPlaced(placed)).concat(deleted);
}

interface PlacedItem {
  readonly item: JsonValue;
  readonly place: number;
}

/**
 * Items that the order does not contain move to the front, in reverse, as recorded responses show for short
 * lists.
 */
function* sortPlaced(items: readonly PlacedItem[]): Steps<JsonValue[]> {
  if (items.length > 20 || items.every(({ place }) => place >= 0)) return yield* sortByPlace(items);
  const sorted: PlacedItem[] = [];
  for (const item of items) {
    let at = sorted.length;
    while (at > 0 && goesBefore(item, sorted[at - 1] as PlacedItem)) at--;
    sorted.splice(at, 0, item);
  }
  return sorted.map(({ item }) => item);
}

/** Each item as one number, its place before its index: numbers alone are sorted in a fraction of the time, and none are equal. */
function* sortByPlace(items: readonly PlacedItem[]): Steps<JsonValue[]> {
  const { length } = items;
  const numbers = Float64Array.from(items, ({ place }, index) => (place + 1) * length + index);
  if (length > 1000) yield;
  numbers.sort();
  if (length > 1000) yield;
  return Array.from(numbers, (number) => (items[number % length] as PlacedItem).item);
}

const goesBefore = (a: PlacedItem, b: PlacedItem): boolean => a.place < 0 || b.place < 0 || a.place < b.place;

function* firstPositions(
  list: List,
  identity: ItemIdentity,
  isNaming?: (item: JsonValue) => boolean,
): Steps<Map<string, number>> {
  const positions = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    if (isPausePoint(index)) yield;
    if (isNaming && !isNaming(item)) continue;
    const text = identityText(item, identity);
    if (!positions.has(text)) positions.set(text, index);
  }
  return positions;
}
