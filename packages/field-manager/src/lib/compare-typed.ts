import type { JsonObject, JsonValue } from '@ashlar/core';
import { valuesEqual } from './compare-values.ts';
import { FieldSet } from './field-set.ts';
import { FieldSetBuilder } from './field-set-builder.ts';
import {
  type FieldType,
  type ListType,
  type MapType,
  memberType,
  type Shape,
  shapeFor,
} from './field-type.ts';
import { listItemElement } from './list-item.ts';
import { type FieldPath, fieldElement, type PathElement } from './path-element.ts';
import { asList, asMap, memberOf, members } from './typed-value.ts';

/** What changed between two values. No path is in two of the sets unless the shape of an untyped value changed. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

const UNCHANGED: Comparison = {
  removed: FieldSet.EMPTY,
  modified: FieldSet.EMPTY,
  added: FieldSet.EMPTY,
};

/**
 * Compares two values by field (semantics F5): atomic parts as a whole, items by identity whatever their order, null and empty
 * different. Both must be valid for the type, items twice allowed.
 */
export function compareTyped(before: JsonValue, after: JsonValue, type: FieldType): Comparison {
  if (before === after) return UNCHANGED;
  const walk: Walk = {
    removed: new FieldSetBuilder(),
    modified: new FieldSetBuilder(),
    added: new FieldSetBuilder(),
  };
  compare(walk, before, after, type, []);
  return { removed: walk.removed.build(), modified: walk.modified.build(), added: walk.added.build() };
}

/** A comparison without what a set names or contains. */
export function excludeFields(comparison: Comparison, fields: FieldSet): Comparison {
  if (fields.isEmpty) return comparison;
  return {
    removed: comparison.removed.recursiveDifference(fields),
    modified: comparison.modified.recursiveDifference(fields),
    added: comparison.added.recursiveDifference(fields),
  };
}

interface Walk {
  readonly removed: FieldSetBuilder;
  readonly modified: FieldSetBuilder;
  readonly added: FieldSetBuilder;
}

type Side = JsonValue | undefined;

function compare(walk: Walk, before: Side, after: Side, type: FieldType, path: FieldPath): void {
  // Values are immutable: the same one is unchanged, whatever is in it.
  if (before !== undefined && before === after) return;
  let isLeaf: boolean;
  if (after === undefined) isLeaf = compareAs(walk, before, after, shapeFor(type, before), path);
  else {
    const shape = shapeFor(type, after);
    const shapeBefore = before === undefined ? shape : shapeFor(type, before);
    if (shapeBefore.kind !== shape.kind) compareAs(walk, before, after, shapeBefore, path);
    isLeaf = compareAs(walk, before, after, shape, path);
  }
  if (isLeaf) return;
  if (before === undefined) walk.added.insert(path);
  else if (after === undefined) walk.removed.insert(path);
}

/** @returns whether the value was compared as a whole */
function compareAs(walk: Walk, before: Side, after: Side, shape: Shape, path: FieldPath): boolean {
  if (shape.kind === 'scalar') return compareLeaf(walk, before, after, path);
  if (shape.kind === 'map') return compareMaps(walk, before, after, shape.map, path);
  return compareLists(walk, before, after, shape.list, path);
}

function compareLeaf(walk: Walk, before: Side, after: Side, path: FieldPath): true {
  if (before === undefined) walk.added.insert(path);
  else if (after === undefined) walk.removed.insert(path);
  else if (!valuesEqual(before, after)) walk.modified.insert(path);
  return true;
}

function compareMaps(walk: Walk, before: Side, after: Side, type: MapType, path: FieldPath): boolean {
  const left = asMap(before);
  const right = asMap(after);
  // Where both are empty they are compared as a whole: null and {} differ.
  if (type.isAtomic || (isEmpty(left) && isEmpty(right))) return compareLeaf(walk, before, after, path);
  const names = new Set([...members(left), ...members(right)].map(([name]) => name));
  for (const name of names) {
    const known = memberType(type, name);
    if (known)
      compare(walk, memberOf(left, name), memberOf(right, name), known, [...path, fieldElement(name)]);
  }
  return false;
}

const isEmpty = (map: JsonObject | undefined): boolean => members(map).length === 0;

function compareLists(walk: Walk, before: Side, after: Side, type: ListType, path: FieldPath): boolean {
  const left = asList(before) ?? [];
  const right = asList(after) ?? [];
  if (type.isAtomic || (left.length === 0 && right.length === 0))
    return compareLeaf(walk, before, after, path);
  const groups = new Map<string, ItemGroup>();
  for (const item of left) groupOf(groups, type, item).before.push(item);
  for (const item of right) groupOf(groups, type, item).after.push(item);
  for (const group of groups.values()) compareItems(walk, group, type, [...path, group.element]);
  return false;
}

/** What both lists have under one identity. */
interface ItemGroup {
  readonly element: PathElement;
  readonly before: JsonValue[];
  readonly after: JsonValue[];
}

function groupOf(groups: Map<string, ItemGroup>, type: ListType, item: JsonValue): ItemGroup {
  const element = listItemElement(type, item);
  const known = groups.get(element.text);
  if (known) return known;
  const group: ItemGroup = { element, before: [], after: [] };
  groups.set(element.text, group);
  return group;
}

/** Items that are there twice count as a whole, without fields. */
function compareItems(walk: Walk, { before, after }: ItemGroup, type: ListType, path: FieldPath): void {
  if (before.length <= 1 && after.length <= 1) compare(walk, before[0], after[0], type.items, path);
  else if (before.length > 1 && after.length > 1) {
    if (!valuesEqual(before, after)) walk.modified.insert(path);
  } else if (before.length > 1) {
    if (after.length > 0) compare(walk, undefined, after[0], type.items, path);
    walk.removed.insert(path);
  } else {
    if (before.length > 0) compare(walk, before[0], undefined, type.items, path);
    walk.added.insert(path);
  }
}
