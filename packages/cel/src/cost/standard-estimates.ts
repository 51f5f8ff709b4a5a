import { sameType } from '../check/types.ts';
import {
  addRanges,
  type CallEstimate,
  type CallEstimator,
  type EstimatedCall,
  estimatePattern,
  estimateReading,
  exactly,
  firstOperand,
  multiplyRanges,
  type Range,
  type SizedNode,
  scaleRange,
  UNBOUNDED,
} from './estimate-model.ts';

const sizeAt = (call: EstimatedCall, index: number): Range => call.sizeOf(call.arguments[index] as SizedNode);

const readsArgument: CallEstimator = (call) => ({ cost: scaleRange(sizeAt(call, 0), call.model.text) });

const toBytes: CallEstimator = (call) => {
  const size = sizeAt(call, 0);
  return { cost: scaleRange(size, call.model.text), size: { min: size.min, max: size.max * 4n } };
};

const fromBytes: CallEstimator = (call) => {
  const size = sizeAt(call, 0);
  return { cost: scaleRange(size, call.model.text), size: { min: size.min / 4n, max: size.max } };
};

const quote: CallEstimator = (call) => {
  const size = sizeAt(call, 0);
  return { cost: scaleRange(size, call.model.text), size: { min: size.min + 2n, max: size.max * 2n + 2n } };
};

const inList: CallEstimator = (call) => ({ cost: sizeAt(call, 1) });

const searches: CallEstimator = (call) => {
  const input = firstOperand(call) as SizedNode;
  const pattern = call.arguments.at(-1) as SizedNode;
  return { cost: estimatePattern(call.sizeOf(input), call.sizeOf(pattern), call.model) };
};

const contains: CallEstimator = (call) => {
  const text = scaleRange(call.sizeOf(call.target as SizedNode), call.model.text);
  return { cost: multiplyRanges(text, scaleRange(sizeAt(call, 0), call.model.text)) };
};

/** Both operands read: the result is as large as both. */
const joins: CallEstimator = (call) => {
  const size = addRanges(sizeAt(call, 0), sizeAt(call, 1));
  return { cost: scaleRange(size, call.model.text), size };
};

const appends: CallEstimator = (call) => ({
  cost: exactly(1),
  size: addRanges(sizeAt(call, 0), sizeAt(call, 1)),
});

/** Equality of values whose type determines its cost, else as {@link compares}. */
const equality: CallEstimator = (call) => {
  const [left, right] = call.arguments as [SizedNode, SizedNode];
  const { comparison } = left.type;
  if (!comparison || !sameType(left.type, right.type)) return compares(call);
  if (comparison !== 'by-size') return { cost: comparison };
  const { max } = call.sizeOf(right);
  return { cost: scaleRange({ min: 1n, max: max === UNBOUNDED ? 1n : max }, call.model.text) };
};

/** The shorter operand is read; the first difference may come early. */
const compares: CallEstimator = (call): CallEstimate => {
  const left = sizeAt(call, 0).max;
  const right = sizeAt(call, 1).max;
  const max = left < right ? left : right;
  return { cost: scaleRange({ min: max > 0n ? 1n : 0n, max }, call.model.text) };
};

/** Estimates of the language's own functions by overload; default 1. */
export const standardEstimates: Readonly<Record<string, CallEstimator>> = {
  string_format: estimateReading(),
  string_to_bytes: toBytes,
  bytes_to_string: fromBytes,
  strings_quote: quote,
  starts_with_string: readsArgument,
  ends_with_string: readsArgument,
  in_list: inList,
  matches: searches,
  matches_string: searches,
  contains_string: contains,
  add_string: joins,
  add_bytes: joins,
  add_list: appends,
  less_string: compares,
  less_equals_string: compares,
  greater_string: compares,
  greater_equals_string: compares,
  less_bytes: compares,
  less_equals_bytes: compares,
  greater_bytes: compares,
  greater_equals_bytes: compares,
  equals: equality,
  not_equals: compares,
};
