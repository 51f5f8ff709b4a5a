import { type CallNode, type ComprehensionNode, type Expression, Operator } from '../syntax/ast.ts';
import { type EvaluationError, isError, noSuchOverload, type Value } from '../values/values.ts';
import type { Evaluate } from './frame.ts';
import { loopRounds } from './loop-rounds.ts';
import type { Plan } from './plan.ts';
import type { Planner } from './planner.ts';

/** Slots of the variables of a loop. */
export interface LoopSlots {
  readonly first: number;
  readonly second: number | undefined;
}

const isCall = (node: Expression | undefined, name: string): node is CallNode =>
  node?.kind === 'call' && node.function === name && node.target === undefined;

const isName = (node: Expression | undefined, name: string): boolean =>
  node?.kind === 'identifier' && node.name === name;

/** Costs of a macro's loop around its predicate; zero where costs are not counted. */
const counted = (planner: Planner, units: number): number => planner.units(() => units);

/**
 * `all` and `exists`: ends at the deciding value (false for all, true for exists), which absorbs errors
 * before it. A round costs reading the accumulator twice and evaluating the loop condition.
 */
export function planQuantifier(
  planner: Planner,
  node: ComprehensionNode,
  range: Evaluate,
  { first, second }: LoopSlots,
): Evaluate | undefined {
  const { step, condition, initial, accumulator, result } = node;
  const all = isCall(step, Operator.and);
  if (!all && !isCall(step, Operator.or)) return undefined;
  const [left, predicate] = step.arguments as [Expression, Expression];
  const usual =
    initial.kind === 'constant' && initial.value === all && isCall(condition, Operator.notStrictlyFalse);
  if (!usual || !isName(left, accumulator) || !isName(result, accumulator)) return undefined;
  const decides = !all;
  const { run: test, units } = planner.plan(predicate);
  const testUnits = counted(planner, all ? 2 : 3);
  const read = counted(planner, 1);
  const each = testUnits + read + units;
  return (frame) => {
    const rounds = loopRounds(range(frame), second !== undefined);
    if (isError(rounds)) return rounds;
    const { slots } = frame;
    const items = rounds.first;
    let error: EvaluationError | undefined;
    for (let i = 0; i < items.length; i++) {
      frame.round(each);
      slots[first] = items[i];
      if (second !== undefined) slots[second] = (rounds.second as readonly Value[])[i];
      const value = test(frame);
      if (value === decides) {
        // If elements are left, the loop condition is evaluated once more.
        frame.cost += i + 1 < items.length ? testUnits + read : read;
        return decides;
      }
      if (value !== all) error ??= isError(value) ? value : noSuchOverload();
    }
    frame.cost += read;
    return error ?? all;
  };
}

/** `exists_one`: counts without an early end; an error in any round is the result. */
export function planCount(
  planner: Planner,
  node: ComprehensionNode,
  range: Evaluate,
  { first, second }: LoopSlots,
): Evaluate | undefined {
  const { step, result, initial } = node;
  if (!isCall(step, Operator.conditional) || !isCall(result, Operator.equals)) return undefined;
  if (initial.kind !== 'constant' || initial.value !== 0) return undefined;
  const { run: test, units } = planner.plan(step.arguments[0] as Expression);
  const found = counted(planner, 2);
  return (frame) => {
    const rounds = loopRounds(range(frame), second !== undefined);
    if (isError(rounds)) return rounds;
    const { slots } = frame;
    const items = rounds.first;
    let count = 0;
    let error: EvaluationError | undefined;
    for (let i = 0; i < items.length; i++) {
      frame.round(units);
      slots[first] = items[i];
      if (second !== undefined) slots[second] = (rounds.second as readonly Value[])[i];
      const value = test(frame);
      if (value === true) {
        frame.cost += found;
        count++;
      } else if (value !== false) error = isError(value) ? value : noSuchOverload();
    }
    frame.cost += found;
    return error ?? count === 1;
  };
}

interface Collection {
  readonly element: Expression;
  readonly filter: Expression | undefined;
}

function collectionOf({ step, initial, accumulator, result }: ComprehensionNode): Collection | undefined {
  if (initial.kind !== 'list' || initial.elements.length > 0 || !isName(result, accumulator))
    return undefined;
  const filtered = isCall(step, Operator.conditional) && isName(step.arguments[2], accumulator);
  const append = filtered ? step.arguments[1] : step;
  if (!isCall(append, Operator.add) || !isName(append.arguments[0], accumulator)) return undefined;
  const [, list] = append.arguments;
  if (list?.kind !== 'list' || list.elements.length !== 1 || list.optionals.size > 0) return undefined;
  return {
    element: list.elements[0] as Expression,
    filter: filtered ? (step.arguments[0] as Expression) : undefined,
  };
}

/** `map`, `filter` and `transformList`: elements are added to one list instead of making a new one in every round. */
export function planCollection(
  planner: Planner,
  node: ComprehensionNode,
  range: Evaluate,
  { first, second }: LoopSlots,
): Evaluate | undefined {
  const collection = collectionOf(node);
  if (!collection) return undefined;
  const element = planner.plan(collection.element);
  const make = element.run;
  const filter = collection.filter && planner.plan(collection.filter);
  const keep = filter?.run;
  const each = filter?.units ?? 0;
  const add = appendUnits(planner, element) + element.units;
  const read = counted(planner, 1);
  const empty = planner.foldConstants ? 0 : planner.units((model) => model.list);
  return (frame) => {
    const rounds = loopRounds(range(frame), second !== undefined);
    if (isError(rounds)) return rounds;
    const { slots } = frame;
    const items = rounds.first;
    const collected: Value[] = [];
    let error: EvaluationError | undefined;
    frame.cost += empty + read;
    for (let i = 0; i < items.length; i++) {
      frame.round(each);
      slots[first] = items[i];
      if (second !== undefined) slots[second] = (rounds.second as readonly Value[])[i];
      const included = keep === undefined ? true : keep(frame);
      if (included === true) {
        frame.cost += add;
        const value = make(frame);
        if (isError(value)) error ??= value;
        else collected.push(value);
      } else if (included !== false) error = isError(included) ? included : noSuchOverload();
    }
    return error ?? collected;
  };
}

/** Reading the accumulator, a list of one element if that is not constant, and joining the two. */
function appendUnits(planner: Planner, element: Plan): number {
  const constant = planner.foldConstants && element.constant !== undefined;
  return planner.units((model) => 2 + (constant ? 0 : model.list));
}
