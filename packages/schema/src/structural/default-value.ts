import { type JsonValue, jsonSize, type Schema } from '@ashlar/core';
import { DefaultBudget } from './default-budget.ts';

/** Fills in what a value lacks, and spends what that takes. */
export type FillIn = (value: JsonValue, budget: DefaultBudget) => JsonValue;

/** Returns a default and subtracts its size from the budget. */
export type GiveDefault = (budget: DefaultBudget) => JsonValue;

/**
 * Compiles the default of a schema, itself filled in; undefined if there is none. It is made once, when it is first needed,
 * and shared by all who get it, so that what is added a thousand times takes the memory of one.
 */
export function compileDefaultValue(schema: Schema, fillIn: FillIn): GiveDefault | undefined {
  // A default of null counts as none.
  const own = schema.default ?? undefined;
  if (own === undefined) return undefined;
  let made: { readonly value: JsonValue; readonly size: number } | undefined;
  const make = (): NonNullable<typeof made> => {
    const inside = new DefaultBudget(own, { maximumBytes: Number.POSITIVE_INFINITY });
    const value = fillIn(own, inside);
    return { value, size: jsonSize(own) + inside.added };
  };
  return (budget) => {
    made ??= make();
    budget.spend(made.size);
    return made.value;
  };
}
