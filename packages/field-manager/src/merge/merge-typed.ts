import {
  doneSteps,
  type JsonObject,
  type JsonValue,
  MANY_MEMBERS,
  noteChangedCopy,
  type Steps,
  setMember,
} from '@ashlar/core';
import type { PathElement } from '../fieldpath/path-element.ts';
import { type FieldType, type ListType, type MapType, memberType, shapeFor } from '../typed/field-type.ts';
import { ListElements, listItemElement } from '../typed/list-item.ts';
import { asList, asMap, isEmptyMap, memberOf } from '../typed/typed-value.ts';
import { valuesEqual, valuesEqualSteps } from '../values/compare-values.ts';
import { effortFor, isDue, isLarge, markLarge, namesOf } from '../values/large-parts.ts';

type Side = JsonValue | undefined;

/**
 * Merges an applied configuration into a live value (semantics/apply#merge-rules). Nothing is removed: fields
 * that the configuration does not name stay. Both must be valid for the type; only the live value may contain
 * duplicate items, which the configuration's one replaces.
 */
export function mergeTyped(live: JsonValue, config: JsonValue, type: FieldType): JsonValue {
  return merge(live, config, type);
}

/** {@link mergeTyped} that pauses where values are large. */
export function mergeTypedSteps(live: JsonValue, config: JsonValue, type: FieldType): Steps<JsonValue> {
  const isPart = isLarge(live) || isLarge(config);
  return isPart ? mergeSteps(live, config, type) : doneSteps(merge(live, config, type));
}

function* mergeSteps(live: Side, config: JsonValue, type: FieldType): Steps<JsonValue> {
  if (!isLarge(live) && !isLarge(config)) return merge(live, config, type);
  const shape = shapeFor(type, config);
  if (shape.kind === 'map' && !shape.map.isAtomic) return yield* mergeMapsSteps(live, config, shape.map);
  if (shape.kind === 'list' && !shape.list.isAtomic) return yield* mergeListsSteps(live, config, shape.list);
  return live !== undefined && (yield* valuesEqualSteps(live, config)) ? live : config;
}

/** The live value itself if nothing changes: unchanged parts are shared. */
function merge(live: Side, config: JsonValue, type: FieldType): JsonValue {
  const shape = shapeFor(type, config);
  if (shape.kind === 'scalar') return replace(live, config);
  if (shape.kind === 'map') return mergeMaps(live, config, shape.map);
  return mergeLists(live, config, shape.list);
}

const replace = (live: Side, config: JsonValue): JsonValue =>
  live !== undefined && valuesEqual(live, config) ? live : config;

function mergeMaps(live: Side, config: JsonValue, type: MapType): JsonValue {
  if (type.isAtomic) return replace(live, config);
  const left = asMap(live);
  const right = asMap(config);
  // If both are empty the configuration's form is used: null and {} differ.
  if (isEmptyMap(right)) return live === undefined || isEmptyMap(left) ? config : live;
  let merged: Record<string, JsonValue> | undefined;
  for (const name in right) {
    const incoming = right[name];
    if (incoming === undefined) continue;
    const before = memberOf(left, name);
    const typeOfMember = memberType(type, name);
    const after = typeOfMember ? merge(before, incoming, typeOfMember) : incoming;
    if (after === before) continue;
    merged ??= { ...left } as Record<string, JsonValue>;
    setMember(merged, name, after);
  }
  return merged ?? (live as JsonValue);
}

function* mergeMapsSteps(live: Side, config: JsonValue, type: MapType): Steps<JsonValue> {
  const left = asMap(live);
  const right = asMap(config);
  if (isEmptyMap(right)) return mergeMaps(live, config, type);
  const changed: [string, JsonValue][] = [];
  for (const name of namesOf(right)) {
    const incoming = right?.[name];
    if (incoming === undefined) continue;
    if (isDue(effortFor(incoming))) yield;
    const before = memberOf(left, name);
    const typeOfMember = memberType(type, name);
    const isPart = isLarge(incoming) || isLarge(before);
    const after = !typeOfMember
      ? incoming
      : isPart
        ? yield* mergeSteps(before, incoming, typeOfMember)
        : merge(before, incoming, typeOfMember);
    if (after !== before) changed.push([name, after]);
  }
  return changed.length === 0 ? (live as JsonValue) : yield* withMembers(left, changed);
}

function* withMembers(
  map: JsonObject | undefined,
  changed: readonly (readonly [string, JsonValue])[],
): Steps<JsonValue> {
  const merged: Record<string, JsonValue> = {};
  const names: string[] = [];
  for (const name of namesOf(map)) {
    if (isDue()) yield;
    const value = map?.[name];
    if (value === undefined) continue;
    setMember(merged, name, value);
    names.push(name);
  }
  const hasMany = names.length >= MANY_MEMBERS;
  for (const [name, value] of changed) {
    if (isDue()) yield;
    if (!Object.hasOwn(merged, name)) names.push(name);
    setMember(merged, name, value);
  }
  if (map && hasMany) {
    const changedNames = new Set(changed.map(([name]) => name));
    noteChangedCopy(merged, { original: map, changed: changedNames, isReordered: false });
  }
  return markLarge(merged, names);
}

function mergeLists(live: Side, config: JsonValue, type: ListType): JsonValue {
  if (type.isAtomic) return replace(live, config);
  const left = asList(live) ?? [];
  const right = asList(config) ?? [];
  if (right.length === 0) return live === undefined || left.length === 0 ? config : live;
  const merged = mergeAligned(left, right, type) ?? mergeUnaligned(left, right, type);
  return live !== undefined && isSameList(merged, left) ? live : merged;
}

/**
 * Most lists are applied with the existing items, in the same order: no lookups are needed. Undefined for
 * others.
 */
function mergeAligned(
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  type: ListType,
): JsonValue[] | undefined {
  if (left.length !== right.length) return undefined;
  for (const [index, item] of right.entries()) {
    if (listItemElement(type, item).text !== listItemElement(type, left[index] as JsonValue).text)
      return undefined;
  }
  return right.map((item, index) => merge(left[index], item, type.items));
}

function mergeUnaligned(
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  type: ListType,
): JsonValue[] {
  const before = new ItemIndex(type);
  const incoming = new ItemIndex(type);
  for (const item of left) before.add(item);
  for (const item of right) incoming.add(item);
  const order = new ListOrder(before, incoming);
  const merged: JsonValue[] = [];
  while (!order.isDone) {
    const item = order.next();
    if (item) merged.push(item.isLive ? item.value : merge(before.valueOf(item), item.value, type.items));
  }
  return merged;
}

function* mergeListsSteps(live: Side, config: JsonValue, type: ListType): Steps<JsonValue> {
  const left = asList(live) ?? [];
  const right = asList(config) ?? [];
  if (right.length === 0) return mergeLists(live, config, type);
  if (left.length === 0) return yield* mergeNewSteps(right, type);
  const before = yield* indexSteps(type, left);
  const order = new ListOrder(before, yield* indexSteps(type, right));
  const merged: JsonValue[] = [];
  while (!order.isDone) {
    if (isDue(VALUES_OF_ITEM)) yield;
    const item = order.next();
    if (!item) continue;
    const value = before.valueOf(item);
    if (item.isLive) merged.push(item.value);
    else if (isLarge(item.value) || isLarge(value))
      merged.push(yield* mergeSteps(value, item.value, type.items));
    else merged.push(merge(value, item.value, type.items));
  }
  return live !== undefined && isSameList(merged, left) ? live : markLarge(merged);
}

const VALUES_OF_ITEM = 4;

/** The items of a configuration, none of which exists. They are distinct: it has been checked. */
function* mergeNewSteps(right: readonly JsonValue[], type: ListType): Steps<JsonValue> {
  const merged: JsonValue[] = [];
  let isSame = true;
  for (const item of right) {
    if (isDue(VALUES_OF_ITEM)) yield;
    const value = isLarge(item)
      ? yield* mergeSteps(undefined, item, type.items)
      : merge(undefined, item, type.items);
    isSame &&= value === item;
    merged.push(value);
  }
  return isSame ? right : markLarge(merged);
}

function* indexSteps(type: ListType, list: readonly JsonValue[]): Steps<ItemIndex> {
  const index = new ItemIndex(type);
  const elements = ListElements.of(type, list);
  for (const [position, item] of list.entries()) {
    if (isDue(VALUES_OF_ITEM)) yield;
    index.add(item, elements.at(position));
  }
  return index;
}

const isSameList = (a: readonly JsonValue[], b: readonly JsonValue[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

interface Item {
  readonly element: PathElement;
  readonly value: JsonValue;
  /** Whether only the live list has it. */
  readonly isLive: boolean;
}

/** The items of a list, in order and by identity. */
class ItemIndex {
  readonly items: { readonly element: PathElement; readonly value: JsonValue }[] = [];
  readonly #type: ListType;
  /** Null for duplicates. */
  readonly #values: Map<string, JsonValue> = new Map();

  constructor(type: ListType) {
    this.#type = type;
  }

  add(value: JsonValue, element: PathElement = listItemElement(this.#type, value)): void {
    this.items.push({ element, value });
    this.#values.set(element.text, this.#values.has(element.text) ? null : value);
  }

  has(text: string): boolean {
    return this.#values.has(text);
  }

  valueOf({ element }: Item): JsonValue | undefined {
    return this.#values.get(element.text);
  }
}

/**
 * Traverses both lists at once. Items of the configuration come in its order; live-only items keep their
 * place among their live neighbours; a shared item that is not yet due is deferred to its place in the
 * configuration.
 */
class ListOrder {
  readonly #live: ItemIndex;
  readonly #config: ItemIndex;
  #left = 0;
  #right = 0;
  /** Index in the configuration of the next shared item that is due. */
  #due = 0;
  readonly #done: Set<string> = new Set();

  constructor(live: ItemIndex, config: ItemIndex) {
    this.#live = live;
    this.#config = config;
  }

  get isDone(): boolean {
    return this.#left >= this.#live.items.length && this.#right >= this.#config.items.length;
  }

  /** Advances one step; returns the next item, if the step produced one. */
  next(): Item | undefined {
    const live = this.#live.items[this.#left];
    const config = this.#config.items[this.#right];
    if (live && config && live.element.text === config.element.text) {
      this.#due = this.#nextDue() + 1;
      this.#left++;
      return this.#take(config);
    }
    if (live && config && this.#isDeferred(live.element)) {
      this.#left++;
      return undefined;
    }
    if (live && !this.#config.has(live.element.text)) {
      this.#left++;
      return { ...live, isLive: true };
    }
    if (live && this.#done.has(live.element.text)) this.#left++;
    if (config && this.#dueText() === config.element.text) this.#due++;
    return config && this.#take(config);
  }

  #isDeferred({ text }: PathElement): boolean {
    if (!this.#config.has(text)) return false;
    const due = this.#dueText();
    return due !== undefined && due !== text;
  }

  /** Items that the live list does not have are never due. */
  #nextDue(): number {
    const { items } = this.#config;
    while (this.#due < items.length && !this.#live.has(items[this.#due]?.element.text ?? '')) this.#due++;
    return this.#due;
  }

  #dueText(): string | undefined {
    return this.#config.items[this.#nextDue()]?.element.text;
  }

  #take(config: { readonly element: PathElement; readonly value: JsonValue }): Item {
    this.#right++;
    this.#done.add(config.element.text);
    return { ...config, isLive: false };
  }
}
