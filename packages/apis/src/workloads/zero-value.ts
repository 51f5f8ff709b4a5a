import type { JsonValue, Schema } from '@ashlar/core';
import { compileTyped } from '@ashlar/schema';

const zeros: WeakMap<Schema, JsonValue> = new WeakMap();

/** The printed zero value of a type: fields that are printed even when empty. */
export function zeroOf(schema: Schema): JsonValue {
  let zero = zeros.get(schema);
  if (zero === undefined) {
    zero = compileTyped(schema).decode({}, () => {});
    zeros.set(schema, zero);
  }
  return zero;
}
