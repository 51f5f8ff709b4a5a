import type { JsonObject, JsonValue } from '@ashlar/core';
import type { FieldSet } from './field-set.ts';
import { type FieldType, type ListType, type MapType, memberType, shapeFor } from './field-type.ts';
import { listItemElement } from './list-item.ts';
import { fieldElement } from './path-element.ts';
import { asList, asMap, mapOf, members } from './typed-value.ts';

/** How values are taken apart. */
export interface RemoveOptions {
  /** What a map becomes that loses its last member; null without it. */
  readonly emptiedMap?: JsonObject;
}

/**
 * A value without the fields and items of a set. A map or list of which nothing is left becomes null, unless told otherwise;
 * atomic parts go as a whole or not at all.
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

function removeMembers(value: JsonValue, items: FieldSet, type: MapType, options: RemoveOptions): JsonValue {
  if (type.isAtomic) return null;
  const kept: [string, JsonValue][] = [];
  for (const [name, member] of members(asMap(value))) {
    const node = items.node(fieldElement(name));
    if (node?.isMember) continue;
    const below = node && !node.children.isEmpty ? memberType(type, name) : undefined;
    kept.push([name, node && below ? removeItems(member, node.children, below, options) : member]);
  }
  if (kept.length > 0) return mapOf(kept);
  return (asMap(value) && options.emptiedMap) ?? null;
}

function removeElements(
  value: JsonValue,
  items: FieldSet,
  type: ListType,
  options: RemoveOptions,
): JsonValue {
  if (type.isAtomic) return null;
  const kept: JsonValue[] = [];
  for (const item of asList(value) ?? []) {
    const node = items.node(listItemElement(type, item));
    if (node?.isMember) continue;
    kept.push(node && !node.children.isEmpty ? removeItems(item, node.children, type.items, options) : item);
  }
  return kept.length > 0 ? kept : null;
}

/**
 * Only the fields and items of a set. Items and maps that are members with others below them come out as upstream has it: an
 * item twice, once for itself and once for what is below.
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
  const kept: [string, JsonValue][] = [];
  for (const [name, member] of members(map)) {
    const node = items.node(fieldElement(name));
    const known = memberType(type, name);
    if (!node || !known) continue;
    kept.push([name, extractItems(member, node.isMember ? items : node.children, known)]);
  }
  return kept.length > 0 ? mapOf(kept) : null;
}

function extractElements(value: JsonValue, items: FieldSet, type: ListType): JsonValue {
  const list = asList(value) ?? [];
  if (type.isAtomic && list.length > 0) return value;
  const kept: JsonValue[] = [];
  for (const item of list) {
    const node = items.node(listItemElement(type, item));
    if (node?.isMember) kept.push(extractItems(item, items, type.items));
    if (node && !node.children.isEmpty) kept.push(extractItems(item, node.children, type.items));
  }
  return kept.length > 0 ? kept : null;
}
