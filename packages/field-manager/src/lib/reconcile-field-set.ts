import { FieldSet } from './field-set.ts';
import type { FieldType, ListType, MapType } from './field-type.ts';
import { memberType } from './field-type.ts';
import type { FieldPath, PathElement } from './path-element.ts';

/**
 * Fits a set to what the schema says now: where a part has come to be owned as a whole, who owned any of it owns all of it. The
 * other way round nothing is rewritten (semantics F7).
 */
export function reconcileFieldSet(fields: FieldSet, type: FieldType): FieldSet {
  const atomic: FieldPath[] = [];
  findAtomic(atomic, fields, false, type, []);
  if (atomic.length === 0) return fields;
  const whole = FieldSet.of(...atomic);
  return fields.recursiveDifference(whole).union(whole);
}

/** @param isWhole whether the set names the part itself and nothing in it */
function findAtomic(
  atomic: FieldPath[],
  fields: FieldSet,
  isWhole: boolean,
  type: FieldType,
  path: FieldPath,
): void {
  if (type.map) findInMap(atomic, fields, isWhole, type.map, path);
  else if (type.scalar === undefined && type.list) findInList(atomic, fields, isWhole, type.list, path);
}

function findInMap(
  atomic: FieldPath[],
  fields: FieldSet,
  isWhole: boolean,
  map: MapType,
  path: FieldPath,
): void {
  // What no schema describes is never atomic.
  if (map.values?.isDeduced && map.fields.size === 0) return;
  if (map.isAtomic && !isWhole) {
    if (!fields.isEmpty) atomic.push(path);
    return;
  }
  for (const { element, isMember, children } of fields.nodes) {
    const type = elementType(map, element);
    if (type) findAtomic(atomic, children, isMember && children.isEmpty, type, [...path, element]);
  }
}

function elementType(map: MapType, element: PathElement): FieldType | undefined {
  return element.kind === 'field' ? memberType(map, element.name) : map.values;
}

function findInList(
  atomic: FieldPath[],
  fields: FieldSet,
  isWhole: boolean,
  list: ListType,
  path: FieldPath,
): void {
  if (list.isAtomic && !isWhole) {
    atomic.push(path);
    return;
  }
  for (const { element, isMember, children } of fields.nodes)
    findAtomic(atomic, children, isMember && children.isEmpty, list.items, [...path, element]);
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
