import { type CallNode, Operator } from './ast.ts';
import { sizeOf } from './cost-model.ts';
import type { Overload } from './declarations.ts';
import { valuesEqual } from './equality.ts';
import type { Evaluate } from './frame.ts';
import { greater, greaterEquals, less, lessEquals } from './operators.ts';
import type { Plan } from './plan.ts';
import { planJoin } from './plan-join.ts';
import type { Planner } from './planner.ts';
import { shorterTextCost } from './shorter-text-cost.ts';
import { EvaluationError, noSuchOverload, type Value } from './values.ts';

/** Plans `==` and `!=`. */
export function planEquality(planner: Planner, node: CallNode): Plan {
  const [left, right] = node.arguments.map((argument) => planner.plan(argument).run) as [Evaluate, Evaluate];
  const equal = node.function === Operator.equals;
  const unit = planner.units((model) => model.text);
  const one = Math.ceil(unit);
  const run: Evaluate = (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a === 'string' && typeof b === 'string') {
      frame.cost += shorterTextCost(a, b, unit);
      return (a === b) === equal;
    }
    if (typeof a === 'number' && typeof b === 'number') {
      frame.cost += one;
      return (a === b) === equal;
    }
    frame.charge(Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * unit));
    if (a instanceof EvaluationError) return a;
    if (b instanceof EvaluationError) return b;
    return valuesEqual(a, b) === equal;
  };
  return { run };
}

/** Operators that are planned for the values that they mostly meet; undefined for all others. */
export function planOperator(
  planner: Planner,
  node: CallNode,
  plans: readonly Plan[],
  overloads: readonly Overload[],
): Plan | undefined {
  const [left, right] = plans;
  if (!left || !right || plans.length !== 2) return undefined;
  const only = overloads.length === 1 ? overloads[0]?.id : undefined;
  // The cost of comparing texts is known to be theirs only where they must be texts.
  if (COMPARISONS.has(node.function))
    return only?.endsWith('_string') || only?.endsWith('_bytes')
      ? undefined
      : comparison(planner, node, left, right);
  if (node.function === Operator.add && only === 'add_string') return planJoin(planner, node, left, right);
  if (only === 'starts_with_string' || only === 'ends_with_string') {
    return { run: affix(planner, node, left, right, only === 'starts_with_string') };
  }
  return undefined;
}

type Compare = (a: Value, b: Value) => Value;

const COMPARISONS: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  [Operator.less, less],
  [Operator.lessEquals, lessEquals],
  [Operator.greater, greater],
  [Operator.greaterEquals, greaterEquals],
]);

function comparison(planner: Planner, node: CallNode, left: Plan, right: Plan): Plan {
  const units = planner.units(() => 1);
  const [a, b] = [left.run, right.run];
  const compare = COMPARISONS.get(node.function) as Compare;
  const others = (x: Value, y: Value): Value => located(strict(x, y) ?? compare(x, y), node.position);
  // Numbers are what is mostly compared; each operator has a closure of its own for them.
  switch (node.function) {
    case Operator.less:
      return {
        run: (frame) => {
          const x = a(frame);
          const y = b(frame);
          frame.cost += units;
          return typeof x === 'number' && typeof y === 'number' ? x < y : others(x, y);
        },
      };
    case Operator.lessEquals:
      return {
        run: (frame) => {
          const x = a(frame);
          const y = b(frame);
          frame.cost += units;
          return typeof x === 'number' && typeof y === 'number' ? x <= y : others(x, y);
        },
      };
    case Operator.greater:
      return {
        run: (frame) => {
          const x = a(frame);
          const y = b(frame);
          frame.cost += units;
          return typeof x === 'number' && typeof y === 'number' ? x > y : others(x, y);
        },
      };
    default:
      return {
        run: (frame) => {
          const x = a(frame);
          const y = b(frame);
          frame.cost += units;
          return typeof x === 'number' && typeof y === 'number' ? x >= y : others(x, y);
        },
      };
  }
}

const strict = (a: Value, b: Value): EvaluationError | undefined =>
  a instanceof EvaluationError ? a : b instanceof EvaluationError ? b : undefined;

function located(value: Value, position: number): Value {
  if (value instanceof EvaluationError) value.position ??= position;
  return value;
}

/** `startsWith` and `endsWith`. */
function affix(planner: Planner, node: CallNode, left: Plan, right: Plan, atStart: boolean): Evaluate {
  const unit = planner.units((model) => model.text);
  const { position } = node;
  const a = left.run;
  const b = right.run;
  return (frame) => {
    const x = a(frame);
    const y = b(frame);
    if (typeof x === 'string' && typeof y === 'string') {
      frame.cost += shorterTextCost(x, y, unit);
      return atStart ? x.startsWith(y) : x.endsWith(y);
    }
    frame.charge(Math.ceil(Math.min(sizeOf(x), sizeOf(y)) * unit));
    return located(strict(x, y) ?? noSuchOverload(), position);
  };
}
