import { type JsonValue, jsonSize, type Schema } from '@ashlar/core';
import { DefaultBudget } from './default-budget.ts';

/** Fills in missing values, and charges the budget. */
export type FillIn = (value: JsonValue, budget: DefaultBudget) => JsonValue;

/** Returns a default and subtracts its size from the budget. */
export type GiveDefault = (budget: DefaultBudget) => JsonValue;

/** A default is measured before it is given. */
const UNBOUNDED = { maximumBytes: Number.POSITIVE_INFINITY, maximumAddedBytes: Number.POSITIVE_INFINITY };

/**
 * Compiles the default of a schema, itself defaulted; undefined if there is none. Created on first use and
 * shared, so that a thousand uses take the memory of one.
 */
export function compileDefaultValue(schema: Schema, fillIn: FillIn): GiveDefault | undefined {
  // A default of null counts as none.
  const own = schema.default ?? undefined;
  if (own === undefined) return undefined;
  let cached: { readonly value: JsonValue; readonly size: number } | undefined;
  const make = (): NonNullable<typeof cached> => {
    const inside = new DefaultBudget(own, UNBOUNDED);
    const value = fillIn(own, inside);
    return { value, size: jsonSize(own) + inside.added };
  };
  return (budget) => {
    cached ??= make();
    budget.spend(cached.size);
    return cached.value;
  };
}
