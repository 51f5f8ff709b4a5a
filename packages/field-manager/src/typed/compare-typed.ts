import { doneSteps, type JsonValue, type Steps } from '@ashlar/core';
import { type FieldNode, FieldSet } from '../fieldpath/field-set.ts';
import { recursiveDifferenceSteps, unionSteps } from '../fieldpath/field-set-steps.ts';
import { fieldElement, type PathElement } from '../fieldpath/path-element.ts';
import { valuesEqual, valuesEqualSteps } from '../values/compare-values.ts';
import { ItemShapes } from '../values/item-shapes.ts';
import { effortFor, isDue, isLarge, namesOf } from '../values/large-parts.ts';
import {
  type FieldType,
  type ListType,
  type MapType,
  memberType,
  type Shape,
  shapeFor,
} from './field-type.ts';
import { ListElements, listItemElement } from './list-item.ts';
import { asList, asMap, isEmptyMap, memberOf } from './typed-value.ts';

/** Differences between two values. No path is in two of the sets unless the shape of an untyped value changed. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Nothing changed. */
const UNCHANGED: Comparison = {
  removed: FieldSet.EMPTY,
  modified: FieldSet.EMPTY,
  added: FieldSet.EMPTY,
};

/**
 * Compares two values by field (semantics/apply#update-algorithm): atomic parts as a whole, items by identity
 * in any order, null and empty different. Both must be valid for the type, except for duplicate items.
 */
export function compareTyped(before: JsonValue, after: JsonValue, type: FieldType): Comparison {
  return compare(before, after, type) ?? UNCHANGED;
}

/** {@link compareTyped} that pauses where values are large. */
export function compareTypedSteps(before: JsonValue, after: JsonValue, type: FieldType): Steps<Comparison> {
  const isPart = isLarge(before) || isLarge(after);
  return isPart ? compareLarge(before, after, type) : doneSteps(compareTyped(before, after, type));
}

function* compareLarge(before: JsonValue, after: JsonValue, type: FieldType): Steps<Comparison> {
  return (yield* compareSteps(before, after, type)) ?? UNCHANGED;
}

/** A comparison without what a set names or contains. */
export function excludeFields(comparison: Comparison, fields: FieldSet): Steps<Comparison> {
  return fields.isEmpty ? doneSteps(comparison) : excludeSome(comparison, fields);
}

function* excludeSome(comparison: Comparison, fields: FieldSet): Steps<Comparison> {
  return {
    removed: yield* recursiveDifferenceSteps(comparison.removed, fields),
    modified: yield* recursiveDifferenceSteps(comparison.modified, fields),
    added: yield* recursiveDifferenceSteps(comparison.added, fields),
  };
}

/** Differences of a part: below it, and the part itself. */
interface Difference extends Comparison {
  readonly isRemoved: boolean;
  readonly isModified: boolean;
  readonly isAdded: boolean;
}

const NOTHING: Difference = { ...UNCHANGED, isRemoved: false, isModified: false, isAdded: false };
const REMOVED: Difference = { ...NOTHING, isRemoved: true };
const MODIFIED: Difference = { ...NOTHING, isModified: true };
const ADDED: Difference = { ...NOTHING, isAdded: true };

type Side = JsonValue | undefined;

/** Undefined if nothing changed. */
function compare(before: Side, after: Side, type: FieldType): Difference | undefined {
  // Values are immutable: the same one is unchanged.
  if (before === after) return undefined;
  const shape = shapeFor(type, after === undefined ? before : after);
  const own = compareAs(before, after, shape);
  if (before === undefined || after === undefined) return own;
  const shapeBefore = shapeFor(type, before);
  return shapeBefore.kind === shape.kind ? own : unite(compareAs(before, after, shapeBefore), own);
}

function* compareSteps(before: Side, after: Side, type: FieldType): Steps<Difference | undefined> {
  if (before === after || (!isLarge(before) && !isLarge(after))) return compare(before, after, type);
  const shape = shapeFor(type, after === undefined ? before : after);
  const own = yield* compareAsSteps(before, after, shape);
  if (before === undefined || after === undefined) return own;
  const shapeBefore = shapeFor(type, before);
  if (shapeBefore.kind === shape.kind) return own;
  return yield* uniteSteps(yield* compareAsSteps(before, after, shapeBefore), own);
}

function* compareAsSteps(before: Side, after: Side, shape: Shape): Steps<Difference | undefined> {
  if (shape.kind === 'map' && !shape.map.isAtomic) return yield* compareMapsSteps(before, after, shape.map);
  if (shape.kind === 'list' && !shape.list.isAtomic)
    return yield* compareListsSteps(before, after, shape.list);
  if (before === undefined || after === undefined) return compareLeaf(before, after);
  return (yield* valuesEqualSteps(before, after)) ? undefined : MODIFIED;
}

function compareAs(before: Side, after: Side, shape: Shape): Difference | undefined {
  if (shape.kind === 'scalar') return compareLeaf(before, after);
  return shape.kind === 'map'
    ? compareMaps(before, after, shape.map)
    : compareLists(before, after, shape.list);
}

function unite(a: Difference | undefined, b: Difference | undefined): Difference | undefined {
  if (!a || !b) return a ?? b;
  return {
    removed: a.removed.union(b.removed),
    modified: a.modified.union(b.modified),
    added: a.added.union(b.added),
    isRemoved: a.isRemoved || b.isRemoved,
    isModified: a.isModified || b.isModified,
    isAdded: a.isAdded || b.isAdded,
  };
}

function* uniteSteps(a: Difference | undefined, b: Difference | undefined): Steps<Difference | undefined> {
  if (!a || !b) return a ?? b;
  return {
    removed: yield* unionSteps(a.removed, b.removed),
    modified: yield* unionSteps(a.modified, b.modified),
    added: yield* unionSteps(a.added, b.added),
    isRemoved: a.isRemoved || b.isRemoved,
    isModified: a.isModified || b.isModified,
    isAdded: a.isAdded || b.isAdded,
  };
}

function compareLeaf(before: Side, after: Side): Difference | undefined {
  if (before === undefined) return ADDED;
  if (after === undefined) return REMOVED;
  return valuesEqual(before, after) ? undefined : MODIFIED;
}

/** Collects changes of the parts of a map or list. */
class Differences {
  readonly #removed: FieldNode[] = [];
  readonly #modified: FieldNode[] = [];
  readonly #added: FieldNode[] = [];

  add(element: PathElement, { isRemoved, isModified, isAdded, removed, modified, added }: Difference): void {
    if (isRemoved || !removed.isEmpty)
      this.#removed.push({ element, isMember: isRemoved, children: removed });
    if (isModified || !modified.isEmpty)
      this.#modified.push({ element, isMember: isModified, children: modified });
    if (isAdded || !added.isEmpty) this.#added.push({ element, isMember: isAdded, children: added });
  }

  /** An added or removed part has changed itself, too. */
  of(before: Side, after: Side): Difference | undefined {
    if (this.#isNothing(before, after)) return undefined;
    return {
      removed: FieldSet.ofNodes(this.#removed),
      modified: FieldSet.ofNodes(this.#modified),
      added: FieldSet.ofNodes(this.#added),
      ...sidesOf(before, after),
    };
  }

  *ofSteps(before: Side, after: Side): Steps<Difference | undefined> {
    if (this.#isNothing(before, after)) return undefined;
    return {
      removed: yield* FieldSet.ofNodesSteps(this.#removed),
      modified: yield* FieldSet.ofNodesSteps(this.#modified),
      added: yield* FieldSet.ofNodesSteps(this.#added),
      ...sidesOf(before, after),
    };
  }

  #isNothing(before: Side, after: Side): boolean {
    const isSame = this.#removed.length + this.#modified.length + this.#added.length === 0;
    return isSame && before !== undefined && after !== undefined;
  }
}

function sidesOf(before: Side, after: Side): Omit<Difference, keyof Comparison> {
  const isAdded = before === undefined;
  return { isRemoved: !isAdded && after === undefined, isModified: false, isAdded };
}

function compareMaps(before: Side, after: Side, type: MapType): Difference | undefined {
  const left = asMap(before);
  const right = asMap(after);
  if (type.isAtomic) return compareLeaf(before, after);
  const differences = new Differences();
  let isEmpty = true;
  for (const name in left) {
    const value = left[name];
    if (value === undefined) continue;
    isEmpty = false;
    compareMember(differences, type, name, value, memberOf(right, name));
  }
  for (const name in right) {
    const value = right[name];
    if (value === undefined) continue;
    isEmpty = false;
    if (memberOf(left, name) === undefined) compareMember(differences, type, name, undefined, value);
  }
  // If both are empty they are compared as a whole: null and {} differ.
  return isEmpty ? compareLeaf(before, after) : differences.of(before, after);
}

function* compareMapsSteps(before: Side, after: Side, type: MapType): Steps<Difference | undefined> {
  const left = asMap(before);
  const right = asMap(after);
  if (isEmptyMap(left) && isEmptyMap(right)) return compareMaps(before, after, type);
  const differences = new Differences();
  for (const name of namesOf(left))
    yield* compareMemberSteps(differences, type, name, left?.[name], memberOf(right, name));
  for (const name of namesOf(right))
    if (memberOf(left, name) === undefined)
      yield* compareMemberSteps(differences, type, name, undefined, right?.[name]);
    else if (isDue()) yield;
  return yield* differences.ofSteps(before, after);
}

function* compareMemberSteps(
  differences: Differences,
  type: MapType,
  name: string,
  before: Side,
  after: Side,
): Steps<void> {
  if (isDue(effortFor(before ?? after))) yield;
  if (!isLarge(before) && !isLarge(after)) return compareMember(differences, type, name, before, after);
  const typeOfMember = memberType(type, name);
  const difference = typeOfMember && (yield* compareSteps(before, after, typeOfMember));
  if (difference) differences.add(fieldElement(name), difference);
}

function compareMember(
  differences: Differences,
  type: MapType,
  name: string,
  before: Side,
  after: Side,
): void {
  if (before === after) return;
  const typeOfMember = memberType(type, name);
  const difference = typeOfMember && compare(before, after, typeOfMember);
  if (difference) differences.add(fieldElement(name), difference);
}

function compareLists(before: Side, after: Side, type: ListType): Difference | undefined {
  const left = asList(before) ?? [];
  const right = asList(after) ?? [];
  if (type.isAtomic || (left.length === 0 && right.length === 0)) return compareLeaf(before, after);
  const groups = new Map<string, ItemGroup>();
  for (const item of left) addItem(groups, listItemElement(type, item), item, 'before');
  for (const item of right) addItem(groups, listItemElement(type, item), item, 'after');
  const differences = new Differences();
  for (const group of groups.values()) {
    const difference = compareItems(group, type);
    if (difference) differences.add(group.element, difference);
  }
  return differences.of(before, after);
}

function* compareListsSteps(before: Side, after: Side, type: ListType): Steps<Difference | undefined> {
  const left = asList(before) ?? [];
  const right = asList(after) ?? [];
  if (left.length === 0 && right.length === 0) return compareLeaf(before, after);
  // Most writes leave most lists as they are, and need none of their elements.
  if (yield* valuesEqualSteps(left, right)) return undefined;
  const differences = new Differences();
  if (left.length === 0 && (yield* areDistinct(right, type))) {
    yield* addNewItemsSteps(differences, right, type);
    return yield* differences.ofSteps(before, after);
  }
  const groups = new Map<string, ItemGroup>();
  yield* addItemsSteps(groups, type, left, 'before');
  yield* addItemsSteps(groups, type, right, 'after');
  for (const group of groups.values()) {
    if (isDue(effortFor(group.before[0] ?? group.after[0]))) yield;
    const difference = yield* compareItemsSteps(group, type);
    if (difference) differences.add(group.element, difference);
  }
  return yield* differences.ofSteps(before, after);
}

/** Adds items with different identities, of which there were none before. What a new item adds depends on its shape alone. */
function* addNewItemsSteps(
  differences: Differences,
  items: readonly JsonValue[],
  type: ListType,
): Steps<void> {
  const elements = ListElements.of(type, items);
  const known = new ItemShapes<Difference>();
  for (const [index, item] of items.entries()) {
    if (isDue(effortFor(item))) yield;
    let difference = known.get(item);
    if (!difference) {
      difference = yield* compareSteps(undefined, item, type.items);
      if (difference) known.keep(item, difference);
    }
    if (difference) differences.add(elements.at(index), difference);
  }
}

/** Whether no two items have one identity. A list of new items, such as all of a new object, needs no groups then. */
function* areDistinct(list: readonly JsonValue[], type: ListType): Steps<boolean> {
  const elements = ListElements.of(type, list);
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    if (isDue(effortFor(item))) yield;
    if (seen.size === seen.add(elements.at(index).text).size) return false;
  }
  return true;
}

function* addItemsSteps(
  groups: Map<string, ItemGroup>,
  type: ListType,
  list: readonly JsonValue[],
  side: 'before' | 'after',
): Steps<void> {
  const elements = ListElements.of(type, list);
  for (const [index, item] of list.entries()) {
    if (isDue(effortFor(item))) yield;
    addItem(groups, elements.at(index), item, side);
  }
}

/** Duplicate items are compared as a whole: only unique ones are compared by field. */
function* compareItemsSteps(group: ItemGroup, type: ListType): Steps<Difference | undefined> {
  const { before, after } = group;
  const isOnce = before.length <= 1 && after.length <= 1;
  if (isOnce && (isLarge(before[0]) || isLarge(after[0])))
    return yield* compareSteps(before[0], after[0], type.items);
  return compareItems(group, type);
}

/** Items of both lists with one identity. */
interface ItemGroup {
  readonly element: PathElement;
  before: readonly JsonValue[];
  after: readonly JsonValue[];
}

const NO_ITEMS: readonly JsonValue[] = [];

/** Nearly all groups have one item on each side, or on one. */
function addItem(
  groups: Map<string, ItemGroup>,
  element: PathElement,
  item: JsonValue,
  side: 'before' | 'after',
): void {
  let group = groups.get(element.text);
  if (!group) {
    group = { element, before: NO_ITEMS, after: NO_ITEMS };
    groups.set(element.text, group);
  }
  if (group[side] === NO_ITEMS) group[side] = [item];
  else (group[side] as JsonValue[]).push(item);
}

/** Duplicate items are compared as a whole. */
function compareItems({ before, after }: ItemGroup, type: ListType): Difference | undefined {
  if (before.length <= 1 && after.length <= 1) return compare(before[0], after[0], type.items);
  if (before.length > 1 && after.length > 1) return valuesEqual(before, after) ? undefined : MODIFIED;
  if (before.length > 1)
    return unite(after.length > 0 ? compare(undefined, after[0], type.items) : undefined, REMOVED);
  return unite(before.length > 0 ? compare(before[0], undefined, type.items) : undefined, ADDED);
}
