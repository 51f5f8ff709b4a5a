import { type ComprehensionNode, type Expression, isBinding } from '../syntax/ast.ts';
import { EvaluationError, isError, type Value } from '../values/values.ts';
import type { Evaluate } from './frame.ts';
import { loopRounds } from './loop-rounds.ts';
import type { Local, Plan } from './plan.ts';
import { type LoopSlots, planCollection, planCount, planQuantifier } from './plan-macro-loop.ts';
import type { Planner } from './planner.ts';

/** Plans a loop. */
export function planComprehension(planner: Planner, node: ComprehensionNode): Plan {
  return isBinding(node) ? planBinding(planner, node) : planLoop(planner, node);
}

/** A bound name is computed on first use, if any. */
function planBinding(planner: Planner, node: ComprehensionNode): Plan {
  const range = planner.plan(node.range);
  const local: Local = {
    name: node.accumulator,
    slot: planner.newSlot(),
    fill: planner.planCharged(node.initial),
  };
  const result = planner.withLocals([local], () => planner.plan(node.result));
  const units = range.constant === undefined ? planner.units((model) => model.list) : 0;
  const { slot } = local;
  const { run } = result;
  return {
    run: (frame) => {
      frame.slots[slot] = undefined;
      return run(frame);
    },
    units: units + result.units,
  };
}

const unset: Evaluate = () => new EvaluationError('a variable of a loop is read outside of it');

function planLoop(planner: Planner, node: ComprehensionNode): Plan {
  const range = planner.plan(node.range);
  const accumulator = lazyLocal(planner, node.accumulator);
  const variables: Local[] = [{ name: node.variable, slot: planner.newSlot(), fill: unset }];
  if (node.secondVariable !== undefined) {
    variables.push({ name: node.secondVariable, slot: planner.newSlot(), fill: unset });
  }
  const slots: LoopSlots = { first: (variables[0] as Local).slot, second: variables[1]?.slot };
  const special = planner.generalLoops
    ? undefined
    : planner.withLocals([accumulator, ...variables], () => planMacroLoop(planner, node, range.run, slots));
  const run = special ?? planFold(planner, node, range.run, accumulator, variables, slots);
  return { run, units: range.units };
}

/** A variable that gets a slot only if it is read, which most loops of macros avoid. */
function lazyLocal(planner: Planner, name: string): Local {
  let slot: number | undefined;
  return {
    name,
    fill: unset,
    get slot() {
      slot ??= planner.newSlot();
      return slot;
    },
  };
}

/** The loops of the language's macros, without their accumulators. */
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
  const run = (child: Expression): Evaluate => planner.planCharged(child);
  const initial = run(node.initial);
  const [condition, step] = planner.withLocals([accumulator, ...variables], () => [
    run(node.condition),
    run(node.step),
  ]) as [Evaluate, Evaluate];
  const result = planner.withLocals([accumulator], () => run(node.result));
  const { slot } = accumulator;
  return (frame) => {
    const rounds = loopRounds(range(frame), second !== undefined);
    if (isError(rounds)) return rounds;
    const { slots } = frame;
    slots[slot] = initial(frame);
    for (let i = 0; i < rounds.first.length; i++) {
      frame.round(0);
      slots[first] = rounds.first[i];
      if (second !== undefined) slots[second] = (rounds.second as readonly Value[])[i];
      if (condition(frame) === false) break;
      slots[slot] = step(frame);
    }
    return result(frame);
  };
}
