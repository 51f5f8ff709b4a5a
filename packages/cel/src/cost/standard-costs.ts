import type { Value } from '../values/values.ts';
import { type CallCost, patternCost, readsFirst, sizeOf, textCost } from './cost-model.ts';

const size = (args: readonly Value[], index: number): number => sizeOf(args[index] as Value);

const readsBoth: CallCost = (args, _, model) => textCost(size(args, 0) + size(args, 1), model);
const readsShorter: CallCost = (args, _, model) => textCost(Math.min(size(args, 0), size(args, 1)), model);
const readsList: CallCost = (args) => size(args, 1);
const searches: CallCost = (args, _, model) => patternCost(size(args, 0), size(args, 1), model);
const contains: CallCost = (args, _, model) =>
  textCost(size(args, 0), model) * textCost(size(args, 1), model);

/** Costs of the language's own functions by overload; default 1. */
export const standardCosts: Readonly<Record<string, CallCost>> & { readonly matches: CallCost } = {
  starts_with_string: readsShorter,
  ends_with_string: readsShorter,
  string_to_bytes: readsFirst(),
  bytes_to_string: readsFirst(),
  strings_quote: readsFirst(),
  string_format: readsFirst(),
  in_list: readsList,
  less_string: readsShorter,
  less_equals_string: readsShorter,
  greater_string: readsShorter,
  greater_equals_string: readsShorter,
  less_bytes: readsShorter,
  less_equals_bytes: readsShorter,
  greater_bytes: readsShorter,
  greater_equals_bytes: readsShorter,
  add_string: readsBoth,
  add_bytes: readsBoth,
  matches: searches,
  matches_string: searches,
  contains_string: contains,
};
