import type { JsonValue, Schema } from '@ashlar/core';
import { compileTyped } from '@ashlar/schema';

const zeros: WeakMap<Schema, JsonValue> = new WeakMap();

/** An object of a type in which nothing is set, as it is printed: with the fields that are printed even when empty. */
export function zeroOf(schema: Schema): JsonValue {
  let zero = zeros.get(schema);
  if (zero === undefined) {
    zero = compileTyped(schema).decode({}, () => {});
    zeros.set(schema, zero);
  }
  return zero;
}
