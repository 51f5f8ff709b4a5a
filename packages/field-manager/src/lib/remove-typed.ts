import type { JsonValue } from '@ashlar/core';
import type { FieldSet } from './field-set.ts';
import { type FieldType, type ListType, type MapType, memberType, shapeFor } from './field-type.ts';
import { listItemElement } from './list-item.ts';
import { fieldElement } from './path-element.ts';
import { asList, asMap, mapOf, members } from './typed-value.ts';

/**
 * A value without the fields and items of a set. A map or list of which nothing is left becomes null; atomic parts go as a whole
 * or not at all.
 */
export function removeItems(value: JsonValue, items: FieldSet, type: FieldType): JsonValue {
  const shape = shapeFor(type, value);
  if (shape.kind === 'scalar') return value;
  return shape.kind === 'map'
    ? removeMembers(value, items, shape.map)
    : removeElements(value, items, shape.list);
}

function removeMembers(value: JsonValue, items: FieldSet, type: MapType): JsonValue {
  if (type.isAtomic) return null;
  const kept: [string, JsonValue][] = [];
  for (const [name, member] of members(asMap(value))) {
    const node = items.node(fieldElement(name));
    if (node?.isMember) continue;
    const known = memberType(type, name);
    const changed =
      node && known && !node.children.isEmpty ? removeItems(member, node.children, known) : member;
    kept.push([name, changed]);
  }
  return kept.length > 0 ? mapOf(kept) : null;
}

function removeElements(value: JsonValue, items: FieldSet, type: ListType): JsonValue {
  if (type.isAtomic) return null;
  const kept: JsonValue[] = [];
  for (const item of asList(value) ?? []) {
    const node = items.node(listItemElement(type, item));
    if (node?.isMember) continue;
    kept.push(node && !node.children.isEmpty ? removeItems(item, node.children, type.items) : item);
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
