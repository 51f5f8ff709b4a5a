import type { Schema } from '@ashlar/core';

/** Returns a function that puts the members of an object in the order of its type, in which they are printed. */
export function membersInOrder({ properties = {} }: Schema): <Value extends object>(value: Value) => Value {
  const places = new Map(Object.keys(properties).map((name, place) => [name, place]));
  const placeOf = (name: string): number => places.get(name) ?? places.size;
  return <Value extends object>(value: Value) =>
    Object.fromEntries(Object.entries(value).sort(([a], [b]) => placeOf(a) - placeOf(b))) as Value;
}
