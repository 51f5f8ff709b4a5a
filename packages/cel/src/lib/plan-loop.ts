import type { ComprehensionNode, Expression } from './ast.ts';
import type { Evaluate } from './frame.ts';
import type { Local, Plan, Planner } from './plan.ts';
import { type LoopSlots, planCollection, planCount, planQuantifier } from './plan-macro-loop.ts';
import {
  EvaluationError,
  isMap,
  listItems,
  type MapKey,
  mapGet,
  mapKeyOf,
  mapKeys,
  noSuchOverload,
  type Value,
} from './values.ts';

/** Plans a loop. */
export function planComprehension(planner: Planner, node: ComprehensionNode): Plan {
  return { run: isBinding(node) ? planBinding(planner, node) : planLoop(planner, node) };
}

/** Whether the loop never runs and only gives a name to its initial value. */
export function isBinding(node: ComprehensionNode): boolean {
  const { range, condition } = node;
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'constant' &&
    condition.value === false
  );
}

/** A bound name is computed when it is first read, and not at all when nothing reads it. */
function planBinding(planner: Planner, node: ComprehensionNode): Evaluate {
  const range = planner.plan(node.range);
  const local: Local = {
    name: node.accumulator,
    slot: planner.newSlot(),
    fill: planner.plan(node.initial).run,
  };
  const result = planner.withLocals([local], () => planner.plan(node.result).run);
  const units = range.constant === undefined ? planner.units((model) => model.list) : 0;
  const { slot } = local;
  return (frame) => {
    frame.cost += units;
    frame.slots[slot] = undefined;
    return result(frame);
  };
}

const unset: Evaluate = () => new EvaluationError('a variable of a loop is read outside of it');

function planLoop(planner: Planner, node: ComprehensionNode): Evaluate {
  const range = planner.plan(node.range).run;
  const accumulator: Local = { name: node.accumulator, slot: planner.newSlot(), fill: unset };
  const variables: Local[] = [{ name: node.variable, slot: planner.newSlot(), fill: unset }];
  if (node.secondVariable !== undefined) {
    variables.push({ name: node.secondVariable, slot: planner.newSlot(), fill: unset });
  }
  const slots: LoopSlots = { first: (variables[0] as Local).slot, second: variables[1]?.slot };
  const special = planner.generalLoops
    ? undefined
    : planner.withLocals([accumulator, ...variables], () => planMacroLoop(planner, node, range, slots));
  return special ?? planFold(planner, node, range, accumulator, variables, slots);
}

/** The loops that the macros of the language become, without the detour over their accumulators. */
function planMacroLoop(
  planner: Planner,
  node: ComprehensionNode,
  range: Evaluate,
  slots: LoopSlots,
): Evaluate | undefined {
  return (
    planQuantifier(planner, node, range, slots) ??
    planCount(planner, node, range, slots) ??
    planCollection(planner, node, range, slots)
  );
}

function planFold(
  planner: Planner,
  node: ComprehensionNode,
  range: Evaluate,
  accumulator: Local,
  variables: readonly Local[],
  { first, second }: LoopSlots,
): Evaluate {
  const run = (child: Expression): Evaluate => planner.plan(child).run;
  const initial = run(node.initial);
  const [condition, step] = planner.withLocals([accumulator, ...variables], () => [
    run(node.condition),
    run(node.step),
  ]) as [Evaluate, Evaluate];
  const result = planner.withLocals([accumulator], () => run(node.result));
  const { slot } = accumulator;
  return (frame) => {
    const rounds = loopRounds(range(frame), second !== undefined);
    if (rounds instanceof EvaluationError) return rounds;
    const { slots } = frame;
    slots[slot] = initial(frame);
    for (let i = 0; i < rounds.first.length; i++) {
      frame.round();
      slots[first] = rounds.first[i];
      if (second !== undefined) slots[second] = (rounds.second as readonly Value[])[i];
      if (condition(frame) === false) break;
      slots[slot] = step(frame);
    }
    return result(frame);
  };
}

/** What the variables of a loop are, round by round. */
export interface Rounds {
  readonly first: readonly Value[];
  readonly second?: readonly Value[];
}

/** The rounds over a list (elements, or indexes and elements) or map (keys, or keys and values). */
export function loopRounds(range: Value, two: boolean): Rounds | EvaluationError {
  const items = listItems(range);
  if (items) return two ? { first: items.map((_, i) => i), second: items } : { first: items };
  if (range instanceof EvaluationError) return range;
  if (!isMap(range)) return noSuchOverload();
  const keys = mapKeys(range);
  if (!two) return { first: keys };
  return { first: keys, second: keys.map((key) => mapGet(range, mapKeyOf(key) as MapKey) as Value) };
}
