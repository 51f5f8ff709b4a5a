import { doneSteps, type JsonObject, type JsonValue, type Steps, setMember } from '@ashlar/core';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { fieldElement } from '../fieldpath/path-element.ts';
import { effortFor, isDue, isLarge, markLarge, namesOf } from '../values/large-parts.ts';
import { type FieldType, type ListType, type MapType, memberType, shapeFor } from './field-type.ts';
import { ListElements, listItemElement } from './list-item.ts';
import { asList, asMap, mapOf, members } from './typed-value.ts';

/** How fields are removed. */
export interface RemoveOptions {
  /** Replaces a map that loses its last member; null by default. */
  readonly emptiedMap?: JsonObject;
}

/**
 * Removes the fields and items of a set from a value. A map or list without remaining parts becomes null by
 * default; atomic parts are removed completely or not at all.
 */
export function removeItems(
  value: JsonValue,
  items: FieldSet,
  type: FieldType,
  options: RemoveOptions = {},
): JsonValue {
  const shape = shapeFor(type, value);
  if (shape.kind === 'scalar') return value;
  if (shape.kind === 'map') return removeMembers(value, items, shape.map, options);
  return removeElements(value, items, shape.list, options);
}

/** {@link removeItems} that pauses where the value is large. */
export function removeItemsSteps(
  value: JsonValue,
  items: FieldSet,
  type: FieldType,
  options: RemoveOptions = {},
): Steps<JsonValue> {
  const shape = isLarge(value) ? shapeFor(type, value) : undefined;
  if (shape?.kind === 'map' && !shape.map.isAtomic)
    return removeMembersSteps(value, items, shape.map, options);
  if (shape?.kind === 'list' && !shape.list.isAtomic)
    return removeElementsSteps(value, items, shape.list, options);
  return doneSteps(removeItems(value, items, type, options));
}

function* removeMembersSteps(
  value: JsonValue,
  items: FieldSet,
  type: MapType,
  options: RemoveOptions,
): Steps<JsonValue> {
  const map = asMap(value);
  yield* items.indexSteps();
  const remaining: Record<string, JsonValue> = {};
  const names: string[] = [];
  for (const name of namesOf(map)) {
    const member = map?.[name];
    if (member === undefined) continue;
    if (isDue(effortFor(member))) yield;
    const node = items.node(fieldElement(name));
    if (node?.isMember) continue;
    const below = node && !node.children.isEmpty ? memberType(type, name) : undefined;
    setMember(
      remaining,
      name,
      node && below ? yield* removeItemsSteps(member, node.children, below, options) : member,
    );
    names.push(name);
  }
  if (names.length > 0) return markLarge(remaining, names);
  return (map && options.emptiedMap) ?? null;
}

function* removeElementsSteps(
  value: JsonValue,
  items: FieldSet,
  type: ListType,
  options: RemoveOptions,
): Steps<JsonValue> {
  yield* items.indexSteps();
  const remaining: JsonValue[] = [];
  const list = asList(value) ?? [];
  const elements = ListElements.of(type, list);
  for (const [index, item] of list.entries()) {
    if (isDue(effortFor(item))) yield;
    const node = items.node(elements.at(index));
    if (node?.isMember) continue;
    const isPart = node && !node.children.isEmpty;
    remaining.push(isPart ? yield* removeItemsSteps(item, node.children, type.items, options) : item);
  }
  return remaining.length === 0 ? null : markLarge(remaining);
}

function removeMembers(value: JsonValue, items: FieldSet, type: MapType, options: RemoveOptions): JsonValue {
  if (type.isAtomic) return null;
  const remaining: [string, JsonValue][] = [];
  for (const [name, member] of members(asMap(value))) {
    const node = items.node(fieldElement(name));
    if (node?.isMember) continue;
    const below = node && !node.children.isEmpty ? memberType(type, name) : undefined;
    remaining.push([name, node && below ? removeItems(member, node.children, below, options) : member]);
  }
  if (remaining.length > 0) return mapOf(remaining);
  return (asMap(value) && options.emptiedMap) ?? null;
}

function removeElements(
  value: JsonValue,
  items: FieldSet,
  type: ListType,
  options: RemoveOptions,
): JsonValue {
  if (type.isAtomic) return null;
  const remaining: JsonValue[] = [];
  for (const item of asList(value) ?? []) {
    const node = items.node(listItemElement(type, item));
    if (node?.isMember) continue;
    remaining.push(
      node && !node.children.isEmpty ? removeItems(item, node.children, type.items, options) : item,
    );
  }
  return remaining.length > 0 ? remaining : null;
}

/**
 * Only the fields and items of a set. Items and maps that are members with others below them are returned as
 * by the reference server: an item twice, once for itself and once for what is below.
 */
export function extractItems(value: JsonValue, items: FieldSet, type: FieldType): JsonValue {
  const shape = shapeFor(type, value);
  if (shape.kind === 'scalar') return value;
  return shape.kind === 'map'
    ? extractMembers(value, items, shape.map)
    : extractElements(value, items, shape.list);
}

function extractMembers(value: JsonValue, items: FieldSet, type: MapType): JsonValue {
  const map = asMap(value);
  if (type.isAtomic && members(map).length > 0) return value;
  const remaining: [string, JsonValue][] = [];
  for (const [name, member] of members(map)) {
    const node = items.node(fieldElement(name));
    const typeOfMember = memberType(type, name);
    if (!node || !typeOfMember) continue;
    remaining.push([name, extractItems(member, node.isMember ? items : node.children, typeOfMember)]);
  }
  return remaining.length > 0 ? mapOf(remaining) : null;
}

function extractElements(value: JsonValue, items: FieldSet, type: ListType): JsonValue {
  const list = asList(value) ?? [];
  if (type.isAtomic && list.length > 0) return value;
  const remaining: JsonValue[] = [];
  for (const item of list) {
    const node = items.node(listItemElement(type, item));
    if (node?.isMember) remaining.push(extractItems(item, items, type.items));
    if (node && !node.children.isEmpty) remaining.push(extractItems(item, node.children, type.items));
  }
  return remaining.length > 0 ? remaining : null;
}
