import type { JsonValue } from '@ashlar/core';
import { fieldElement, indexElement, type PathElement, printFieldPath } from '../fieldpath/path-element.ts';
import { type FieldType, memberType, shapeFor } from './field-type.ts';
import { asList, asMap, members } from './typed-value.ts';

/**
 * Returns the paths of the lists and maps of a value that are owned as one (semantics/apply#types), in the order of the value. Items of
 * lists are told by their place.
 */
export function atomicParts(value: JsonValue, type: FieldType): readonly string[] {
  const found: string[] = [];
  collect(value, type, [], found);
  return found;
}

function collect(value: JsonValue, type: FieldType, path: readonly PathElement[], found: string[]): void {
  const list = asList(value);
  const map = asMap(value);
  if (!list && !map) return;
  const shape = shapeFor(type, value);
  if (shape.kind === 'scalar') return;
  const parts = shape.kind === 'map' ? shape.map : shape.list;
  if (parts.isAtomic) {
    found.push(printFieldPath(path));
    return;
  }
  if (shape.kind === 'list')
    for (const [index, item] of (list ?? []).entries())
      collect(item, shape.list.items, [...path, indexElement(index)], found);
  else
    for (const [name, member] of members(map)) {
      const typeOfMember = memberType(shape.map, name);
      // the path of a scalar is not needed
      if (typeOfMember && typeof member === 'object')
        collect(member, typeOfMember, [...path, fieldElement(name)], found);
    }
}
