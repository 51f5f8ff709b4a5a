import { type CallCost, traversalCost } from '../cost/cost-model.ts';
import {
  addRanges,
  type CallEstimator,
  exactly,
  multiplyRanges,
  type Range,
  type SizedNode,
  scaleRange,
  UNBOUNDED,
} from '../cost/estimate-model.ts';
import type { Value } from '../values/values.ts';

/** The elements of a list operand, as an operand of its own. */
export function elementOf(list: SizedNode): SizedNode | undefined {
  const [type] = list.type.parameters;
  if (!type) return undefined;
  return { path: list.path && [...list.path, '@items'], type, expression: undefined };
}

/** Cost of searching all of the target. */
export const searchesText: CallCost = ([target], _, model) => traversalCost(target as Value, model);

/** Estimate of reading every element of a list, or an entire text. */
export const scansText: CallEstimator = (call) => {
  if (!call.target) return undefined;
  const size = call.sizeOf(call.target);
  const element = elementOf(call.target);
  if (!element) return { cost: scaleRange(size, call.model.text) };
  const reads = element.type.kind === 'string' || element.type.kind === 'bytes';
  const each = reads ? addRanges(exactly(1), scaleRange(call.sizeOf(element), call.model.text)) : exactly(1);
  return { cost: multiplyRanges(size, each) };
};

const divideUp = (a: bigint, b: bigint): bigint => BigInt(Math.ceil(Number(a) / Number(b)));
const plusOne = (size: bigint): bigint => (size < UNBOUNDED ? size + 1n : size);

/** Maximum number of replacements and maximum remainder of the text. */
function longest(text: Range, old: Range, replacement: Range): { count: bigint; remainder: bigint } {
  if (old.min === 0n) return { count: plusOne(text.max), remainder: text.max };
  if (replacement.max <= old.min) return { count: 0n, remainder: text.max };
  const count = divideUp(text.max, old.min);
  return { count: count > UNBOUNDED ? UNBOUNDED : count, remainder: 0n };
}

/** Minimum number of replacements and minimum remainder of the text. */
function shortest(text: Range, old: Range, replacement: Range): { count: bigint; remainder: bigint } {
  if (old.max === 0n) return { count: plusOne(text.min), remainder: text.min };
  if (old.max <= replacement.min) return { count: 0n, remainder: text.min };
  return { count: divideUp(text.min, old.max), remainder: 0n };
}

/** Size of a text after replacements. */
export function replacedSize(text: Range, old: Range, replacement: Range): Range {
  const most = longest(text, old, replacement);
  const least = shortest(text, old, replacement);
  const replaced = multiplyRanges({ min: least.count, max: most.count }, replacement);
  return addRanges(replaced, { min: least.remainder, max: most.remainder });
}

/** Estimate of `replace`: the text is read and written. */
export const estimateReplacement: CallEstimator = (call) => {
  const [old, replacement] = call.arguments;
  if (!call.target || !old || !replacement) return undefined;
  const text = call.sizeOf(call.target);
  const size = replacedSize(text, call.sizeOf(old), call.sizeOf(replacement));
  return { cost: scaleRange(text, 2 * call.model.text), size };
};
