import { doneSteps, type JsonValue, type Steps } from '@ashlar/core';
import { type FieldNode, FieldSet } from '../fieldpath/field-set.ts';
import { fieldElement, type PathElement } from '../fieldpath/path-element.ts';
import { ItemShapes } from '../values/item-shapes.ts';
import { effortFor, isDue, isLarge, namesOf } from '../values/large-parts.ts';
import { type FieldType, type ListType, type MapType, memberType, shapeFor } from './field-type.ts';
import { ListElements, listItemElement } from './list-item.ts';
import { asList, asMap, isEmptyMap } from './typed-value.ts';

/**
 * The fields of a value (semantics/apply#fieldsv1): leaves, items, keys of maps, and objects that are empty
 * or null. The value must be valid for the type; duplicate items are named without their fields.
 */
export function fieldSetOf(value: JsonValue, type: FieldType): FieldSet {
  return collect(value, type) ?? FieldSet.EMPTY;
}

/** {@link fieldSetOf} that pauses where the value is large. */
export function fieldSetOfSteps(value: JsonValue, type: FieldType): Steps<FieldSet> {
  return isLarge(value) ? fieldSetOfLarge(value, type) : doneSteps(fieldSetOf(value, type));
}

function* fieldSetOfLarge(value: JsonValue, type: FieldType): Steps<FieldSet> {
  return (yield* collectSteps(value, type)) ?? FieldSet.EMPTY;
}

function* collectSteps(value: JsonValue, type: FieldType): Steps<FieldSet | undefined> {
  if (!isLarge(value)) return collect(value, type);
  const shape = shapeFor(type, value);
  if (shape.kind === 'map' && !shape.map.isAtomic) return yield* collectMapSteps(value, shape.map);
  if (shape.kind === 'list' && !shape.list.isAtomic) return yield* collectListSteps(value, shape.list);
  return undefined;
}

/** Returns the part of a field set below a value; undefined if the value itself is a member. */
function collect(value: JsonValue, type: FieldType): FieldSet | undefined {
  const shape = shapeFor(type, value);
  if (shape.kind === 'scalar') return undefined;
  return shape.kind === 'map' ? collectMap(value, shape.map) : collectList(value, shape.list);
}

function collectMap(value: JsonValue, type: MapType): FieldSet | undefined {
  if (type.isAtomic) return undefined;
  const map = asMap(value);
  const nodes: FieldNode[] = [];
  for (const name in map) {
    const member = map[name];
    if (member !== undefined) nodes.push(memberNode(type, name, member));
  }
  return FieldSet.ofNodes(nodes);
}

function* collectMapSteps(value: JsonValue, type: MapType): Steps<FieldSet> {
  const map = asMap(value);
  const nodes: FieldNode[] = [];
  for (const name of namesOf(map)) {
    const member = map?.[name];
    if (member === undefined) continue;
    if (isDue(effortFor(member))) yield;
    const typeOfMember = memberType(type, name);
    if (!typeOfMember || !isLarge(member)) nodes.push(memberNode(type, name, member));
    else nodes.push(namedNode(type, name, member, yield* collectSteps(member, typeOfMember)));
  }
  return yield* FieldSet.ofNodesSteps(nodes);
}

function memberNode(type: MapType, name: string, member: JsonValue): FieldNode {
  const typeOfMember = memberType(type, name);
  return namedNode(type, name, member, typeOfMember ? collect(member, typeOfMember) : FieldSet.EMPTY);
}

/** @param below fields below the member; undefined if that is the member itself */
function namedNode(type: MapType, name: string, member: JsonValue, below: FieldSet | undefined): FieldNode {
  const isMember = below === undefined || namesItself(member) || !type.fields.has(name);
  return { element: fieldElement(name), isMember, children: below ?? FieldSet.EMPTY };
}

/** Null counts as an empty map: it is named itself, because it has nothing below it. */
function namesItself(value: JsonValue): boolean {
  return value === null || (asMap(value) !== undefined && isEmptyMap(asMap(value)));
}

function collectList(value: JsonValue, type: ListType): FieldSet | undefined {
  if (type.isAtomic) return undefined;
  const nodes = new Map<string, FieldNode>();
  for (const item of asList(value) ?? []) {
    const element = listItemElement(type, item);
    nodes.set(element.text, itemNode(element, item, nodes.has(element.text) ? undefined : type.items));
  }
  return FieldSet.ofNodes(nodes.values());
}

function* collectListSteps(value: JsonValue, type: ListType): Steps<FieldSet> {
  const nodes = new Map<string, FieldNode>();
  const list = asList(value) ?? [];
  const elements = ListElements.of(type, list);
  // which fields an item has depends on its shape alone
  const known = new ItemShapes<FieldSet>();
  for (const [index, item] of list.entries()) {
    if (isDue(effortFor(item))) yield;
    const element = elements.at(index);
    let children = nodes.has(element.text) ? FieldSet.EMPTY : known.get(item);
    if (!children) {
      children = (yield* collectSteps(item, type.items)) ?? FieldSet.EMPTY;
      known.keep(item, children);
    }
    nodes.set(element.text, { element, isMember: true, children });
  }
  return yield* FieldSet.ofNodesSteps([...nodes.values()]);
}

function itemNode(element: PathElement, item: JsonValue, type: FieldType | undefined): FieldNode {
  return { element, isMember: true, children: (type && collect(item, type)) ?? FieldSet.EMPTY };
}
