import {
  type FunctionDeclaration,
  type Implementation,
  type Library,
  method,
  type OverloadCost,
} from '../check/declarations.ts';
import { types } from '../check/types.ts';
import { type CallCost, patternCost, sizeOf } from '../cost/cost-model.ts';
import { type CallEstimator, estimatePattern, type SizedNode } from '../cost/estimate-model.ts';
import { compileLiteral, compilePattern, type Pattern } from '../regex/regex.ts';
import { EvaluationError, noSuchOverload, type Value } from '../values/values.ts';

const { int, string } = types;

const cost: CallCost = ([text, pattern], _, model) =>
  patternCost(sizeOf(text as Value), sizeOf(pattern as Value), model);

const estimate: CallEstimator = (call) => {
  if (!call.target) return undefined;
  const text = call.sizeOf(call.target);
  const pattern = call.sizeOf(call.arguments[0] as SizedNode);
  return { cost: estimatePattern(text, pattern, call.model), size: { min: 0n, max: text.max } };
};

const searches: OverloadCost = { cost, estimate };

type Search = (pattern: Pattern, text: string, limit: number) => Value;

const findFirst: Search = (pattern, text) => pattern.find(text, 1)[0] ?? '';
const findAll: Search = (pattern, text, limit) => (limit === 0 ? [] : pattern.find(text, limit));

/** Compiles the pattern at every call. */
function compiling(search: Search): Implementation {
  return (text: string, source: string, limit: number | bigint = -1) => {
    const pattern = compilePattern(source);
    if (pattern instanceof EvaluationError) return new EvaluationError(`Illegal regex: ${pattern.message}`);
    return search(pattern, text, Number(limit));
  };
}

/** Compiles a constant pattern once. */
function preparing(search: Search): NonNullable<FunctionDeclaration['prepare']> {
  return ([, source]) => {
    if (typeof source !== 'string') return undefined;
    const pattern = compileLiteral(source);
    if (pattern instanceof EvaluationError) return pattern;
    return (text: Value, _source: Value, limit: number | bigint = -1) =>
      typeof text === 'string' ? search(pattern, text, Number(limit)) : noSuchOverload();
  };
}

/** `find` and `findAll` (semantics/schemas#rules), in time linear in the text. */
export const patternsLibrary: Library = {
  name: 'patterns',
  functions: [
    {
      name: 'find',
      overloads: [method('string_find_string', [string, string], string, compiling(findFirst), searches)],
      prepare: preparing(findFirst),
    },
    {
      name: 'findAll',
      overloads: [
        method('string_find_all_string', [string, string], types.list(string), compiling(findAll), searches),
        method(
          'string_find_all_string_int',
          [string, string, int],
          types.list(string),
          compiling(findAll),
          searches,
        ),
      ],
      prepare: preparing(findAll),
    },
  ],
};
