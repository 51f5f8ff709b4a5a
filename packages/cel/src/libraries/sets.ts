import { type FunctionDeclaration, type Library, overload } from '../check/declarations.ts';
import { types } from '../check/types.ts';
import { type CallCost, sizeOf } from '../cost/cost-model.ts';
import {
  addRanges,
  type CallEstimator,
  exactly,
  multiplyRanges,
  type SizedNode,
  scaleRange,
} from '../cost/estimate-model.ts';
import { listIncludes } from '../values/equality.ts';
import { ValueSet } from '../values/value-set.ts';
import { listItems, type Value } from '../values/values.ts';

const list = types.list(types.parameter('T'));

const items = (value: Value): readonly Value[] => listItems(value) ?? [];
const containsAll = (whole: Value, part: Value): boolean => {
  const includes = finder(items(whole), items(part).length);
  return items(part).every(includes);
};

/** Tests whether a list has an element; for many tests the elements are sorted first. */
function finder(list: readonly Value[], tests: number): (item: Value) => boolean {
  if (list.length * tests <= FEW_COMPARISONS) return (item) => listIncludes(list, item);
  const set = new ValueSet(list);
  return (item) => set.has(item);
}

const FEW_COMPARISONS = 64;

/** Every element of one list may be compared with every one of the other, `times` times. */
const comparesAll = (times: number): { cost: CallCost; estimate: CallEstimator } => ({
  cost: ([a, b]) => 1 + sizeOf(a as Value) * sizeOf(b as Value) * times,
  estimate: (call) => {
    const [a, b] = call.arguments as readonly SizedNode[];
    if (!a || !b) return undefined;
    return { cost: addRanges(scaleRange(multiplyRanges(call.sizeOf(a), call.sizeOf(b)), times), exactly(1)) };
  },
});

function setFunction(
  name: string,
  times: number,
  evaluate: (a: Value, b: Value) => boolean,
): FunctionDeclaration {
  const id = `list_sets_${name}_list`;
  return {
    name: `sets.${name}`,
    overloads: [overload(id, [list, list], types.bool, evaluate, comparesAll(times))],
  };
}

/** Lists compared as sets. */
export const setsLibrary: Library = {
  name: 'sets',
  functions: [
    setFunction('contains', 1, containsAll),
    setFunction('equivalent', 2, (a, b) => containsAll(a, b) && containsAll(b, a)),
    setFunction('intersects', 1, (a, b) => items(a).some(finder(items(b), items(a).length))),
  ],
};
