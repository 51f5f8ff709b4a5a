import type { ComprehensionNode, Expression } from './ast.ts';
import type { Evaluate } from './frame.ts';
import type { Local, Plan, Planner } from './plan.ts';
import { EvaluationError, isMap, listItems, mapGet, mapKeyOf, mapKeys, type MapKey, noSuchOverload, type Value } from './values.ts';

/** Plans a loop. */
export function planComprehension(planner: Planner, node: ComprehensionNode): Plan {
  return { run: isBinding(node) ? planBinding(planner, node) : planLoop(planner, node) };
}

/** Whether the loop never runs and only gives a name to its initial value. */
export function isBinding(node: ComprehensionNode): boolean {
  const { range, condition } = node;
  return (
    range.kind === 'list' && range.elements.length === 0 && condition.kind === 'constant' && condition.value === false
  );
}

/** A bound name is computed when it is first read, and not at all when nothing reads it. */
function planBinding(planner: Planner, node: ComprehensionNode): Evaluate {
  const range = planner.plan(node.range);
  const local: Local = { name: node.accumulator, slot: planner.newSlot(), initial: planner.plan(node.initial).run };
  const result = planner.withLocals([local], () => planner.plan(node.result).run);
  const units = range.constant === undefined ? planner.units((model) => model.list) : 0;
  return (frame) => {
    frame.cost += units;
    const outer = frame.locals[local.slot] as Value;
    frame.locals[local.slot] = undefined as unknown as Value;
    const value = result(frame);
    frame.locals[local.slot] = outer;
    return value;
  };
}

interface LoopParts {
  readonly range: Evaluate;
  readonly initial: Evaluate;
  readonly condition: Evaluate;
  readonly step: Evaluate;
  readonly result: Evaluate;
  readonly accumulator: number;
  readonly first: number;
  readonly second: number | undefined;
}

function planLoop(planner: Planner, node: ComprehensionNode): Evaluate {
  const run = (child: Expression): Evaluate => planner.plan(child).run;
  const accumulator: Local = { name: node.accumulator, slot: planner.newSlot() };
  const variables: Local[] = [{ name: node.variable, slot: planner.newSlot() }];
  if (node.secondVariable !== undefined) variables.push({ name: node.secondVariable, slot: planner.newSlot() });
  const range = run(node.range);
  const initial = run(node.initial);
  const [condition, step] = planner.withLocals([accumulator, ...variables], () => [run(node.condition), run(node.step)]);
  const result = planner.withLocals([accumulator], () => run(node.result));
  return fold({
    range,
    initial,
    condition: condition as Evaluate,
    step: step as Evaluate,
    result,
    accumulator: accumulator.slot,
    first: (variables[0] as Local).slot,
    second: variables[1]?.slot,
  });
}

function fold(parts: LoopParts): Evaluate {
  return (frame) => {
    const range = parts.range(frame);
    if (range instanceof EvaluationError) return range;
    const rounds = loopRounds(range, parts.second !== undefined);
    if (rounds instanceof EvaluationError) return rounds;
    const { locals } = frame;
    locals[parts.accumulator] = parts.initial(frame);
    for (let i = 0; i < rounds.first.length; i++) {
      frame.round();
      locals[parts.first] = rounds.first[i] as Value;
      if (parts.second !== undefined) locals[parts.second] = (rounds.second as readonly Value[])[i] as Value;
      if (parts.condition(frame) === false) break;
      locals[parts.accumulator] = parts.step(frame);
    }
    return parts.result(frame);
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
  if (!isMap(range)) return noSuchOverload();
  const keys = mapKeys(range);
  return two ? { first: keys, second: keys.map((key) => mapGet(range, mapKeyOf(key) as MapKey) as Value) } : { first: keys };
}

