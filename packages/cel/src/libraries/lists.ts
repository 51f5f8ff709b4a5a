import {
  type FunctionDeclaration,
  type Library,
  method,
  named,
  type OverloadCost,
  overload,
} from '../check/declarations.ts';
import { type CelType, types } from '../check/types.ts';
import { type CallCost, ofResult, sizeOf } from '../cost/cost-model.ts';
import {
  addRanges,
  type CallEstimate,
  type CallEstimator,
  exactly,
  multiplyRanges,
  type Range,
  type SizedNode,
  scaleRange,
  UNBOUNDED,
} from '../cost/estimate-model.ts';
import { work } from '../cost/work.ts';
import type { Expression } from '../syntax/ast.ts';
import { MacroError } from '../syntax/macro-error.ts';
import { bind, type Macro, standardMacros } from '../syntax/macros.ts';
import { compareValues } from '../values/equality.ts';
import { isInt } from '../values/numbers.ts';
import { ValueSet } from '../values/value-set.ts';
import { EvaluationError, listItems, type Value } from '../values/values.ts';

const { int, dyn } = types;
const T = types.parameter('T');
const listOfT = types.list(T);

/** Maximum elements of `lists.range`. */
const MAXIMUM_RANGE = 1_000_000;

const itemsOf = (list: Value): readonly Value[] => listItems(list) ?? [];

function slice(list: Value, start: number, end: number): Value {
  const items = itemsOf(list);
  const refuse = (reason: string): EvaluationError =>
    new EvaluationError(`cannot slice(${start}, ${end}), ${reason}`);
  if (start < 0 || end < 0) return refuse('negative indexes not supported');
  if (start > end) return refuse('start index must be less than or equal to end index');
  if (items.length < end) return refuse(`list is length ${items.length}`);
  work(Number(end) - Number(start));
  return items.slice(Number(start), Number(end));
}

/** Steps of appending an element to a list. */
const STEPS_PER_ELEMENT = 10;

function flattened(items: readonly Value[], depth: number | bigint): Value[] {
  work(items.length * STEPS_PER_ELEMENT);
  const result: Value[] = [];
  for (const item of items) {
    const inner = depth > 0 ? listItems(item) : undefined;
    if (inner) for (const element of flattened(inner, BigInt(depth) - 1n)) result.push(element);
    else result.push(item);
  }
  return result;
}

function flatten(list: Value, depth: number | bigint = 1): Value {
  return depth < 0 ? new EvaluationError('level must be non-negative') : flattened(itemsOf(list), depth);
}

function range(size: number | bigint): Value {
  if (size < 0) return new EvaluationError(`lists.range: size must be non-negative, got ${size}`);
  if (size > MAXIMUM_RANGE) {
    return new EvaluationError(`lists.range: size ${size} exceeds maximum allowed (${MAXIMUM_RANGE})`);
  }
  return Array.from({ length: Number(size) }, (_, i) => i);
}

function distinct(list: Value): Value {
  const seen = new ValueSet();
  return itemsOf(list).filter((item) => seen.add(item));
}

function sortBy(list: Value, keys: Value): Value {
  const items = itemsOf(list);
  const sortKeys = itemsOf(keys);
  if (items.length !== sortKeys.length) {
    const sizes = `${items.length} and ${sortKeys.length} elements respectively`;
    return new EvaluationError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${sizes}`,
    );
  }
  let comparable = true;
  const order = items
    .map((_, i) => i)
    .sort((a, b) => {
      const result = compareValues(sortKeys[a] as Value, sortKeys[b] as Value);
      if (result === undefined) comparable = false;
      return result || a - b;
    });
  if (!comparable) return new EvaluationError('list elements must have the same type');
  return order.map((i) => items[i] as Value);
}

const SORTABLE: readonly CelType['kind'][] = [
  'int',
  'uint',
  'double',
  'bool',
  'duration',
  'timestamp',
  'string',
  'bytes',
];

/** Kinds of nodes whose value may be sorted. */
const SORT_TARGETS: ReadonlySet<Expression['kind']> = new Set([
  'list',
  'select',
  'identifier',
  'comprehension',
  'call',
]);

/** `list.sortBy(e, key)`: the list bound to a name, and its keys made by `map`. */
const sortByMacro: Macro = {
  name: 'sortBy',
  member: true,
  arguments: 2,
  expand(make, args, target) {
    const list = target as Expression;
    if (!SORT_TARGETS.has(list.kind)) {
      const kinds = 'list, identifier, comprehension, call or select expression';
      throw new MacroError(`sortBy can only be applied to a ${kinds}`, list.position);
    }
    const name = '@__sortBy_input__';
    const map = standardMacros.find((macro) => macro.name === 'map' && macro.arguments === 2) as Macro;
    const keys = map.expand(make, args, make.identifier(name)) as Expression;
    return bind(make, name, list, make.call('@sortByAssociatedKeys', [keys], make.identifier(name)));
  },
};

const allocating =
  (cost: number): CallCost =>
  (_args, _result, model) =>
    cost + 1 + model.list;

const resultCost: CallCost = ofResult((args, result, model) =>
  allocating(sizeOf(result))(args, result, model),
);
const flattenCost: CallCost = (args, result, model) => {
  // An invalid depth, such as an error, makes the call fail without work.
  const [, depthArgument = 1] = args;
  const depth = isInt(depthArgument) ? Number(depthArgument) : 1;
  const size = sizeOf(args[0] as Value);
  return allocating(Math.floor(size * (depth < 0 ? 1 : depth)))(args, result, model);
};

/** Every element may be compared with every other; texts take a little more. */
const comparing =
  (operand: number): CallCost =>
  (args, result, model) => {
    const items = itemsOf(args[operand] as Value);
    const reads = typeof items[0] === 'string' || items[0] instanceof Uint8Array;
    const factor = reads ? 2 + model.text : 2;
    return allocating(Math.floor(items.length * items.length * factor))(args, result, model);
  };

function estimateAllocating(call: Parameters<CallEstimator>[0], size: Range, factor: number): CallEstimate {
  return { cost: addRanges(scaleRange(size, factor), exactly(1), exactly(call.model.list)), size };
}

const literalOr = (node: SizedNode | undefined, otherwise: bigint): bigint => {
  const literal = node?.expression;
  if (
    literal?.kind !== 'constant' ||
    !(typeof literal.value === 'number' || typeof literal.value === 'bigint')
  )
    return otherwise;
  return literal.value < 0 ? 0n : BigInt(literal.value);
};

const estimateSlice: CallEstimator = (call) => {
  if (!call.target) return undefined;
  const end = literalOr(call.arguments[1], call.sizeOf(call.target).max);
  const start = literalOr(call.arguments[0], 0n);
  return estimateAllocating(call, exactly(BigInt.asUintN(64, end - start)), 1);
};
const estimateFullList: CallEstimator = (call) =>
  call.target && estimateAllocating(call, call.sizeOf(call.target), 1);
const estimateFlatten: CallEstimator = (call) => {
  if (!call.target) return undefined;
  const depth = call.arguments[0] ? literalOr(call.arguments[0], UNBOUNDED) : 1n;
  return estimateAllocating(call, call.sizeOf(call.target), Number(depth));
};
const estimateRange: CallEstimator = (call) =>
  estimateAllocating(call, exactly(literalOr(call.arguments[0], UNBOUNDED)), 1);

function estimateComparing(
  operandOf: (call: Parameters<CallEstimator>[0]) => SizedNode | undefined,
  reads: boolean,
): CallEstimator {
  return (call) => {
    const operand = operandOf(call);
    if (!operand) return undefined;
    const size = call.sizeOf(operand);
    return estimateAllocating(call, multiplyRanges(size, size), reads ? 2 + call.model.text : 2);
  };
}

const readsText = (kind: CelType['kind']): boolean => kind === 'string' || kind === 'bytes';

const sortCost = (kind: CelType['kind']): OverloadCost => ({
  cost: comparing(0),
  estimate: estimateComparing((call) => call.target, readsText(kind)),
});
const sortByCost = (kind: CelType['kind']): OverloadCost => ({
  cost: comparing(1),
  estimate: estimateComparing((call) => call.arguments[0], readsText(kind)),
});

const typeOf = (kind: CelType['kind']): CelType => types[kind as 'int'];

const functions: readonly FunctionDeclaration[] = [
  named(
    'slice',
    method('list_slice', [listOfT, int, int], listOfT, slice, { cost: resultCost, estimate: estimateSlice }),
  ),
  named(
    'flatten',
    method('list_flatten', [types.list(listOfT)], listOfT, flatten, {
      cost: flattenCost,
      estimate: estimateFlatten,
    }),
    method('list_flatten_int', [types.list(dyn), int], types.list(dyn), flatten, {
      cost: flattenCost,
      estimate: estimateFlatten,
    }),
  ),
  named(
    'sort',
    ...SORTABLE.map((kind) => {
      const list = types.list(typeOf(kind));
      return method(
        `list_${typeOf(kind).name}_sort`,
        [list],
        list,
        (items: Value) => sortBy(items, items),
        sortCost(kind),
      );
    }),
  ),
  named(
    '@sortByAssociatedKeys',
    ...SORTABLE.map((kind) => {
      const keys = types.list(typeOf(kind));
      return method(
        `list_${typeOf(kind).name}_sortByAssociatedKeys`,
        [listOfT, keys],
        listOfT,
        sortBy,
        sortByCost(kind),
      );
    }),
  ),
  named(
    'lists.range',
    overload('lists_range', [int], types.list(int), range, { cost: resultCost, estimate: estimateRange }),
  ),
  named(
    'reverse',
    method('list_reverse', [listOfT], listOfT, (list: Value) => itemsOf(list).toReversed(), {
      cost: resultCost,
      estimate: estimateFullList,
    }),
  ),
  named(
    'distinct',
    method('list_distinct', [listOfT], listOfT, distinct, {
      cost: comparing(0),
      estimate: estimateComparing((call) => call.target, false),
    }),
  ),
];

/** Functions that return lists: `slice`, `flatten`, `sort`, `sortBy`, `reverse`, `distinct`, `lists.range`. */
export const listsLibrary: Library = { name: 'lists', macros: [sortByMacro], functions };
