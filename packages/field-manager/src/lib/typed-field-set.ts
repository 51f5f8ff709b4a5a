import type { JsonValue } from '@ashlar/core';
import type { FieldSet } from './field-set.ts';
import { FieldSetBuilder } from './field-set-builder.ts';
import { type FieldType, type ListType, type MapType, memberType, shapeFor } from './field-type.ts';
import { listItemElement } from './list-item.ts';
import { type FieldPath, fieldElement } from './path-element.ts';
import { asList, asMap, members } from './typed-value.ts';

/**
 * The fields that a value names (semantics F1): leaves, items, keys of maps, and objects that are empty or null. The value must
 * be valid for the type; items that it holds twice are named without their fields.
 */
export function fieldSetOf(value: JsonValue, type: FieldType): FieldSet {
  const builder = new FieldSetBuilder();
  collect(builder, value, type, []);
  return builder.build();
}

function collect(builder: FieldSetBuilder, value: JsonValue, type: FieldType, path: FieldPath): void {
  const shape = shapeFor(type, value);
  if (shape.kind === 'scalar') builder.insert(path);
  else if (shape.kind === 'map') collectMap(builder, value, shape.map, path);
  else collectList(builder, value, shape.list, path);
}

function collectMap(builder: FieldSetBuilder, value: JsonValue, type: MapType, path: FieldPath): void {
  if (type.isAtomic) {
    builder.insert(path);
    return;
  }
  for (const [name, member] of members(asMap(value))) {
    const memberPath = [...path, fieldElement(name)];
    const known = memberType(type, name);
    if (known) collect(builder, member, known, memberPath);
    if (isEmptyMap(member) || !type.fields.has(name)) builder.insert(memberPath);
  }
}

/** Null counts as an empty map: it is named itself, because it has nothing else to be named. */
function isEmptyMap(value: JsonValue): boolean {
  return value === null || (asMap(value) !== undefined && members(asMap(value)).length === 0);
}

function collectList(builder: FieldSetBuilder, value: JsonValue, type: ListType, path: FieldPath): void {
  if (type.isAtomic) {
    builder.insert(path);
    return;
  }
  const items = (asList(value) ?? []).map((item) => ({ item, element: listItemElement(type, item) }));
  const counts = new Map<string, number>();
  for (const { element } of items) counts.set(element.text, (counts.get(element.text) ?? 0) + 1);
  for (const { item, element } of items) {
    const itemPath = [...path, element];
    if (counts.get(element.text) === 1) collect(builder, item, type.items, itemPath);
    builder.insert(itemPath);
  }
}
