import { type FunctionDeclaration, type Library, method, type OverloadCost } from '../check/declarations.ts';
import { type CelType, types } from '../check/types.ts';
import { type CallCost, traversalCost } from '../cost/cost-model.ts';
import { type CallEstimator, exactly, multiplyRanges } from '../cost/estimate-model.ts';
import { add } from '../plan/operators.ts';
import { compareValues, listIncludes, valuesEqual } from '../values/equality.ts';
import {
  Double,
  Duration,
  EvaluationError,
  listItems,
  noSuchOverload,
  Uint,
  type Value,
} from '../values/values.ts';
import { elementOf, scansText, searchesText } from './text-costs.ts';

const { bool, int, dyn } = types;
const A = types.parameter('A');

const SUMMABLE: readonly (readonly [name: string, type: CelType, zero: Value])[] = [
  ['int', int, 0],
  ['uint', types.uint, new Uint(0n)],
  ['double', types.double, new Double(0)],
  ['duration', types.duration, new Duration(0, 0)],
];
const COMPARABLE: readonly (readonly [name: string, type: CelType])[] = [
  ['int', int],
  ['uint', types.uint],
  ['double', types.double],
  ['bool', bool],
  ['duration', types.duration],
  ['timestamp', types.timestamp],
  ['string', types.string],
  ['bytes', types.bytes],
];

const itemsOf = (list: Value): readonly Value[] => listItems(list) ?? [];

/**
 * The order of two elements. As in release 1.32 those of different types, such as the numbers and texts of a list of
 * either, are neither before nor behind each other. Undefined if the second has no order with any value.
 */
const orderOfElements = (a: Value, b: Value): number | undefined =>
  compareValues(a, b) ?? (compareValues(b, b) === undefined ? undefined : 0);

function isSorted(list: Value): Value {
  const items = itemsOf(list);
  for (let i = 1; i < items.length; i++) {
    const order = orderOfElements(items[i - 1] as Value, items[i] as Value);
    if (order === undefined) return noSuchOverload();
    if (order > 0) return false;
  }
  return true;
}

function sumFrom(zero: Value): (list: Value) => Value {
  return (list) => {
    let sum = zero;
    for (const item of itemsOf(list)) {
      sum = add(sum, item);
      if (sum instanceof EvaluationError) return sum;
    }
    return sum;
  };
}

function extreme(name: 'min' | 'max'): (list: Value) => Value {
  const sign = name === 'min' ? 1 : -1;
  return (list) => {
    const items = itemsOf(list);
    const [first] = items;
    if (first === undefined) return new EvaluationError(`${name} called on empty list`);
    let best = first;
    for (const item of items) {
      const order = orderOfElements(best, item);
      if (order === undefined) return noSuchOverload();
      if (order * sign > 0) best = item;
    }
    return best;
  };
}

const firstIndex = (list: Value, value: Value): Value =>
  itemsOf(list).findIndex((item) => valuesEqual(item, value));
const lastIndex = (list: Value, value: Value): Value =>
  itemsOf(list).findLastIndex((item) => valuesEqual(item, value));

function includes(target: Value, value: Value): Value {
  const items = listItems(target);
  return items ? listIncludes(items, value) : valuesEqual(target, value);
}

/** All of the list is read once. */
const traverses: OverloadCost = { cost: searchesText, estimate: scansText };

const includesCost: CallCost = ([target], _, model) => traversalCost(target as Value, model);
const estimateIncludes: CallEstimator = (call) => {
  if (!call.target) return undefined;
  return elementOf(call.target)
    ? scansText(call)
    : { cost: multiplyRanges(call.sizeOf(call.target), exactly(1)) };
};

const perType = (
  name: string,
  suffix: (name: string) => string,
  evaluate: (list: Value) => Value,
  result?: CelType,
): FunctionDeclaration => ({
  name,
  overloads: COMPARABLE.map(([id, type]) =>
    method(`list_${id}_${suffix(id)}`, [types.list(type)], result ?? type, evaluate, traverses),
  ),
});

const listAggregates: readonly FunctionDeclaration[] = [
  perType('isSorted', () => 'is_sorted_bool', isSorted, bool),
  {
    name: 'sum',
    overloads: SUMMABLE.map(([id, type, zero]) =>
      method(`list_${id}_sum_${id}`, [types.list(type)], type, sumFrom(zero), traverses),
    ),
  },
  perType('max', (id) => `max_${id}`, extreme('max')),
  perType('min', (id) => `min_${id}`, extreme('min')),
  {
    name: 'indexOf',
    overloads: [method('list_a_index_of_int', [types.list(A), A], int, firstIndex, traverses)],
  },
  {
    name: 'lastIndexOf',
    overloads: [method('list_a_last_index_of_int', [types.list(A), A], int, lastIndex, traverses)],
  },
];

const includesFunction: FunctionDeclaration = {
  name: 'includes',
  overloads: [
    method('list_includes_dyn_dyn', [dyn, dyn], bool, includes, {
      cost: includesCost,
      estimate: estimateIncludes,
    }),
  ],
};

/**
 * Aggregates of lists: `indexOf`, `lastIndexOf`, `min`, `max`, `sum`, `isSorted` (semantics/schemas#rules).
 * Version 1 adds `includes`.
 */
export function aggregatesLibrary(version: number = 0): Library {
  return {
    name: 'aggregates',
    functions: version >= 1 ? [...listAggregates, includesFunction] : listAggregates,
  };
}
