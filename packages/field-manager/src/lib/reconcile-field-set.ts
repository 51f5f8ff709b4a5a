import { FieldSet } from './field-set.ts';
import type { FieldType, ListType, MapType } from './field-type.ts';
import { memberType } from './field-type.ts';
import type { FieldPath, PathElement } from './path-element.ts';

/**
 * Fits a set to what the schema says now: where a part has come to be owned as a whole, who owned any of it owns all of it. The
 * other way round nothing is rewritten (semantics F7).
 */
export function reconcileFieldSet(fields: FieldSet, type: FieldType): FieldSet {
  const known = reconciled.get(type) ?? new WeakMap<FieldSet, FieldSet>();
  reconciled.set(type, known);
  const before = known.get(fields);
  if (before) return before;
  const fitting = fitToType(fields, type);
  known.set(fields, fitting);
  return fitting;
}

/** Sets are shared between requests, and each is looked at once for a type. */
const reconciled: WeakMap<FieldType, WeakMap<FieldSet, FieldSet>> = new WeakMap();

function fitToType(fields: FieldSet, type: FieldType): FieldSet {
  const atomic: (Step | undefined)[] = [];
  findAtomic(atomic, fields, false, type, undefined);
  if (atomic.length === 0) return fields;
  const whole = FieldSet.of(...atomic.map(pathOf));
  return fields.recursiveDifference(whole).union(whole);
}

/** A path as it is walked: most are never looked at. */
interface Step {
  readonly element: PathElement;
  readonly above: Step | undefined;
}

function pathOf(step: Step | undefined): FieldPath {
  const path: PathElement[] = [];
  for (let at = step; at; at = at.above) path.unshift(at.element);
  return path;
}

/** @param isWhole whether the set names the part itself and nothing in it */
function findAtomic(
  atomic: (Step | undefined)[],
  fields: FieldSet,
  isWhole: boolean,
  type: FieldType,
  path: Step | undefined,
): void {
  if (type.map) findInMap(atomic, fields, isWhole, type.map, path);
  else if (type.scalar === undefined && type.list) findInList(atomic, fields, isWhole, type.list, path);
}

function findInMap(
  atomic: (Step | undefined)[],
  fields: FieldSet,
  isWhole: boolean,
  map: MapType,
  path: Step | undefined,
): void {
  // What no schema describes is never atomic.
  if (map.values?.isDeduced && map.fields.size === 0) return;
  if (map.isAtomic && !isWhole) {
    if (!fields.isEmpty) atomic.push(path);
    return;
  }
  for (const { element, isMember, children } of fields.nodes) {
    const type = elementType(map, element);
    if (type) findAtomic(atomic, children, isMember && children.isEmpty, type, { element, above: path });
  }
}

function elementType(map: MapType, element: PathElement): FieldType | undefined {
  return element.kind === 'field' ? memberType(map, element.name) : map.values;
}

function findInList(
  atomic: (Step | undefined)[],
  fields: FieldSet,
  isWhole: boolean,
  list: ListType,
  path: Step | undefined,
): void {
  if (list.isAtomic && !isWhole) {
    atomic.push(path);
    return;
  }
  for (const { element, isMember, children } of fields.nodes)
    findAtomic(atomic, children, isMember && children.isEmpty, list.items, { element, above: path });
}

/** The set with the fields of declared objects that have something below them as members too, as pruning counts them. */
export function withNamedFields(fields: FieldSet, type: FieldType | undefined): FieldSet {
  return FieldSet.ofNodes(
    fields.nodes.map(({ element, isMember, children }) => {
      const isNamed = element.kind === 'field' && type?.map?.fields.has(element.name) === true;
      return {
        element,
        isMember: isMember || (isNamed && !children.isEmpty),
        children: withNamedFields(children, typeBelow(type, element)),
      };
    }),
  );
}

function typeBelow(type: FieldType | undefined, element: PathElement): FieldType | undefined {
  if (element.kind === 'field') return type?.map && memberType(type.map, element.name);
  return element.kind === 'key' ? type?.list?.items : undefined;
}
