import type { Schema } from '@ashlar/core';

/** Parts of a schema that are visited between two pauses. */
const STRIDE = 256;

/** A schema and all schemas inside of it, each before those inside of it. Undefined where a pause is due. */
export function* withParts(schema: Schema): Generator<Schema | undefined, void, undefined> {
  const waiting = [schema];
  let visited = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    if (++visited % STRIDE === 0) yield undefined;
    addParts(waiting, next);
  }
}

/** What the schemas of properties become, by name. */
export function mapProperties<T>({ properties }: Schema, change: (part: Schema) => T): Map<string, T> {
  const changed = new Map<string, T>();
  // without a list of pairs: there may be tens of thousands
  for (const name in properties) changed.set(name, change(properties[name] as Schema));
  return changed;
}

/** Adds the schemas that values of a schema, or parts of them, are checked against. */
function addParts(waiting: Schema[], schema: Schema): void {
  const { items, additionalProperties, properties, not, allOf, anyOf, oneOf } = schema;
  if (items) waiting.push(items);
  if (not) waiting.push(not);
  if (typeof additionalProperties === 'object') waiting.push(additionalProperties);
  for (const parts of [allOf, anyOf, oneOf]) if (parts) for (const part of parts) waiting.push(part);
  if (properties) for (const name in properties) waiting.push(properties[name] as Schema);
}
