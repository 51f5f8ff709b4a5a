import type { CelType } from '../check/types.ts';
import type { Expression } from '../syntax/ast.ts';
import type { CostModel } from './cost-model.ts';

/** The largest estimate; sums and products are capped. */
export const UNBOUNDED: bigint = 2n ** 64n - 1n;

/** A range of cost units or elements. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

/** A range of one number. */
export function exactly(value: number | bigint): Range {
  const exact = BigInt(value);
  return { min: exact, max: exact };
}

/** The unknown range. */
export const anySize: Range = { min: 0n, max: UNBOUNDED };

const bounded = (value: bigint): bigint => (value > UNBOUNDED ? UNBOUNDED : value);

/** Sum of ranges. */
export function addRanges(...ranges: readonly Range[]): Range {
  let min = 0n;
  let max = 0n;
  for (const range of ranges) {
    min += range.min;
    max += range.max;
  }
  return { min: bounded(min), max: bounded(max) };
}

/** Product of two ranges. */
export function multiplyRanges(a: Range, b: Range): Range {
  return { min: bounded(a.min * b.min), max: bounded(a.max * b.max) };
}

/** A range times a factor, rounded up. */
export function scaleRange(range: Range, factor: number): Range {
  return { min: scale(range.min, factor), max: scale(range.max, factor) };
}

function scale(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= 2 ** 64 ? UNBOUNDED : BigInt(product);
}

/** The smallest range that contains both. */
export function unionRanges(a: Range, b: Range): Range {
  return { min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max };
}

/** An operand, as estimators see it. */
export interface SizedNode {
  /**
   * The path from a variable to it: fields, `@items`, `@keys`, `@values`; undefined if no variable leads to
   * it.
   */
  readonly path: readonly string[] | undefined;
  readonly type: CelType;
  readonly expression: Expression | undefined;
}

/** A call whose cost is to be estimated. */
export interface EstimatedCall {
  readonly function: string;
  readonly overload: string;
  readonly target: SizedNode | undefined;
  readonly arguments: readonly SizedNode[];
  readonly model: CostModel;
  /** Size of an operand, {@link anySize} when nothing is known. */
  sizeOf(node: SizedNode): Range;
}

/** Estimated cost of a call without its operands, and the size of its result. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range;
}

/** Estimates a call before it runs; undefined for the default of 1. */
export type CallEstimator = (call: EstimatedCall) => CallEstimate | undefined;

/**
 * Sizes of values below a variable, from a schema; undefined if unknown. The path is empty if no variable
 * leads to the value: then only the type determines it.
 */
export type SizeHints = (path: readonly string[], type: CelType) => Range | undefined;

/** A fixed estimate. */
export function fixedEstimate(units: number): CallEstimator {
  return () => ({ cost: exactly(units) });
}

/** The operand that calls with and without a target read first. */
export function firstOperand(call: EstimatedCall): SizedNode | undefined {
  return call.target ?? call.arguments[0];
}

/** Estimate of reading the first operand `times` times; the result has the same size if `keepsSize`. */
export function estimateReading(times: number = 1, keepsSize: boolean = false): CallEstimator {
  return (call) => {
    const operand = firstOperand(call);
    if (!operand) return undefined;
    const size = call.sizeOf(operand);
    const cost = scaleRange(size, times * call.model.text);
    return keepsSize ? { cost, size } : { cost };
  };
}

/** Estimate of a pattern search. */
export function estimatePattern(input: Range, pattern: Range, model: CostModel): Range {
  const text = scaleRange(model.emptyInputCosts ? addRanges(input, exactly(1)) : input, model.patternInput);
  return multiplyRanges(text, scaleRange(pattern, model.pattern));
}
