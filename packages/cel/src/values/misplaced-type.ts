import { goQuote } from '@ashlar/core';
import { MUTATION_TYPES } from '../check/mutation-types.ts';
import { type MapKey, MapValue, mapGet, mapKeyOf, mapKeys } from './maps.ts';
import { listItems, ObjectValue, type Value } from './values.ts';

/**
 * Returns what is wrong with an object that a mutating policy made, if a part of it has not the type of its place: `Object.spec` stands in
 * the field `spec` (semantics/admission#mutatingadmissionpolicy). The place of the object itself is what its own type says.
 */
export function misplacedType(value: Value): string | undefined {
  return misplacedAt(value, value instanceof ObjectValue ? value.type.name : MUTATION_TYPES.object.name);
}

/** The same of what stands in a field of an object, if that is an object of a type. */
export function misplacedTypeIn(value: Value, field: string): string | undefined {
  const member = value instanceof ObjectValue ? value.get(field) : undefined;
  return member instanceof ObjectValue ? misplacedType(member) : undefined;
}

function misplacedAt(value: Value, place: string): string | undefined {
  if (value instanceof ObjectValue) {
    const { name } = value.type;
    if (name !== place)
      return `unexpected type name ${goQuote(name)}, expected ${goQuote(place)}, which matches field name path from root Object type`;
    return firstOf(value.fields(), (field) => misplacedAt(value.get(field) as Value, `${place}.${field}`));
  }
  const items = listItems(value);
  if (items) return firstOf(items, (item) => misplacedAt(item, place));
  // plain objects are JSON, in which no object of a type stands
  if (!(value instanceof MapValue)) return undefined;
  return firstOf(mapKeys(value), (key) => misplacedAt(mapGet(value, mapKeyOf(key) as MapKey) ?? null, place));
}

function firstOf<T>(values: Iterable<T>, find: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
