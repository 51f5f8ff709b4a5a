import type { Implementation, Overload } from '../check/declarations.ts';
import { type CallCost, patternCost, sizeOf } from '../cost/cost-model.ts';
import { shorterTextCost } from '../cost/shorter-text-cost.ts';
import { standardCosts } from '../cost/standard-costs.ts';
import { type CallNode, type Expression, Operator } from '../syntax/ast.ts';
import { valuesEqual } from '../values/equality.ts';
import { isMap } from '../values/maps.ts';
import {
  Boxed,
  type EvaluationError,
  isError,
  listItems,
  located,
  noSuchOverload,
  ObjectValue,
  type Value,
} from '../values/values.ts';
import type { Evaluate } from './frame.ts';
import { greater, greaterEquals, isIn, less, lessEquals } from './operators.ts';
import type { Plan } from './plan.ts';
import { planJoin } from './plan-join.ts';
import { isSafeField } from './plan-path.ts';
import type { Planner } from './planner.ts';

/** Plans `==` and `!=`. */
export function planEquality(planner: Planner, node: CallNode): Plan {
  const [left, right] = node.arguments.map((argument) => planner.plan(argument)) as [Plan, Plan];
  const { run: leftRun } = left;
  const { run: rightRun } = right;
  const equal = node.function === Operator.equals;
  const unit = planner.units((model) => model.text);
  const one = Math.ceil(unit);
  const [first] = node.arguments;
  const isDeclared = first !== undefined && isFieldOfRule(first) && planner.typeOf(first).kind !== 'dyn';
  const run: Evaluate = (frame) => {
    const a = leftRun(frame);
    const b = rightRun(frame);
    if (typeof a === 'string' && typeof b === 'string') {
      frame.cost += shorterTextCost(a, b, unit);
      return (a === b) === equal;
    }
    if (typeof a === 'number' && typeof b === 'number') {
      frame.cost += one;
      return (a === b) === equal;
    }
    frame.charge(Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * unit));
    if (isError(a)) return a;
    if (isError(b)) return b;
    // what cannot be compared is an error of ==, and unequal for !=
    if (isDeclared && !isComparable(a, b)) return equal ? noSuchOverload() : true;
    return valuesEqual(a, b) === equal;
  };
  return { run, units: left.units + right.units };
}

/** Whether an expression is the object of a rule, or a part of it: their variables have no other names. */
function isFieldOfRule(node: Expression): boolean {
  if (node.kind === 'select') return isFieldOfRule(node.operand);
  return node.kind === 'identifier' && (node.name === 'self' || node.name === 'oldSelf');
}

/** Whether a part of a rule's object can be compared with a value: lists with lists only, objects and maps with one another, all with null. */
function isComparable(part: Value, other: Value): boolean {
  if (other === null) return true;
  if (listItems(part)) return listItems(other) !== undefined;
  return !isMapOrObject(part) || isMapOrObject(other);
}

const isMapOrObject = (value: Value): boolean => value instanceof ObjectValue || isMap(value);

/**
 * Operators and functions with specialized plans for common values; undefined for all others.
 * @param implementation - The general implementation.
 * @param cost - The cost of the call apart from its operands: units, or a function of the arguments.
 */
export function planOperator(
  planner: Planner,
  node: CallNode,
  plans: readonly Plan[],
  overloads: readonly Overload[],
  implementation: Implementation,
  cost: number | CallCost,
): Plan | undefined {
  const [left, right] = plans;
  if (!left || !right || plans.length !== 2) return undefined;
  const only = overloads.length === 1 ? overloads[0]?.id : undefined;
  const units = left.units + right.units;
  // The cost of comparing texts applies only where operands must be texts.
  if (COMPARISONS.has(node.function) && typeof cost === 'number')
    return { run: comparison(node, left, right), units: units + cost };
  if (node.function === Operator.in && typeof cost === 'number') {
    const run = membership(node, left, right);
    return run && { run, units: units + cost };
  }
  if (node.function === Operator.add && only === 'add_string') return planJoin(planner, node, left, right);
  if (cost === standardCosts.matches && typeof right.constant === 'string')
    return { run: search(planner, node, left.run, right.constant, implementation), units };
  if (only === 'starts_with_string' || only === 'ends_with_string') {
    return { run: affix(planner, node, left, right, only === 'starts_with_string'), units };
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

function comparison(node: CallNode, left: Plan, right: Plan): Evaluate {
  const [a, b] = [left.run, right.run];
  const compare = COMPARISONS.get(node.function) as Compare;
  const others = (x: Value, y: Value): Value => located(strict(x, y) ?? compare(x, y), node.position);
  if (typeof right.constant === 'number') return comparisonWith(right.constant, node, a, others);
  // Numbers are compared most; each operator has a closure of its own for them.
  switch (node.function) {
    case Operator.less:
      return (frame) => {
        const x = a(frame);
        const y = b(frame);
        return typeof x === 'number' && typeof y === 'number' ? x < y : others(x, y);
      };
    case Operator.lessEquals:
      return (frame) => {
        const x = a(frame);
        const y = b(frame);
        return typeof x === 'number' && typeof y === 'number' ? x <= y : others(x, y);
      };
    case Operator.greater:
      return (frame) => {
        const x = a(frame);
        const y = b(frame);
        return typeof x === 'number' && typeof y === 'number' ? x > y : others(x, y);
      };
    default:
      return (frame) => {
        const x = a(frame);
        const y = b(frame);
        return typeof x === 'number' && typeof y === 'number' ? x >= y : others(x, y);
      };
  }
}

/** A comparison with a constant number on the right. */
function comparisonWith(constant: number, node: CallNode, a: Evaluate, others: Compare): Evaluate {
  switch (node.function) {
    case Operator.less:
      return (frame) => {
        const x = a(frame);
        return typeof x === 'number' ? x < constant : others(x, constant);
      };
    case Operator.lessEquals:
      return (frame) => {
        const x = a(frame);
        return typeof x === 'number' ? x <= constant : others(x, constant);
      };
    case Operator.greater:
      return (frame) => {
        const x = a(frame);
        return typeof x === 'number' ? x > constant : others(x, constant);
      };
    default:
      return (frame) => {
        const x = a(frame);
        return typeof x === 'number' ? x >= constant : others(x, constant);
      };
  }
}

/** `in` with a constant text on the left; undefined for any other. */
function membership({ position }: CallNode, left: Plan, right: Plan): Evaluate | undefined {
  const key = left.constant;
  if (typeof key !== 'string' || !isSafeField(key)) return undefined;
  const { run } = right;
  return (frame) => {
    const container = run(frame);
    if (typeof container === 'object' && container !== null && !(container instanceof Boxed)) {
      if ((container as Record<string, Value | undefined>)[key] !== undefined) return true;
    }
    return isError(container) ? container : located(isIn(key, container), position);
  };
}

const strict = (a: Value, b: Value): EvaluationError | undefined =>
  isError(a) ? a : isError(b) ? b : undefined;

/** A match of a constant pattern, whose share of the cost is known. */
function search(
  { model }: Planner,
  { position }: CallNode,
  run: Evaluate,
  pattern: string,
  implementation: Implementation,
): Evaluate {
  const size = sizeOf(pattern);
  return (frame) => {
    const text = run(frame);
    if (model) frame.charge(patternCost(sizeOf(text), size, model));
    return isError(text) ? text : located(implementation(text, pattern), position);
  };
}

/** `startsWith` and `endsWith`. */
function affix(planner: Planner, node: CallNode, left: Plan, right: Plan, atStart: boolean): Evaluate {
  const unit = planner.units((model) => model.text);
  const { position } = node;
  const a = left.run;
  const b = right.run;
  const holds = atStart ? startsWith : endsWith;
  return (frame) => {
    const x = a(frame);
    const y = b(frame);
    if (typeof x === 'string' && typeof y === 'string') {
      frame.cost += shorterTextCost(x, y, unit);
      return holds(x, y);
    }
    frame.charge(Math.ceil(Math.min(sizeOf(x), sizeOf(y)) * unit));
    return located(strict(x, y) ?? noSuchOverload(), position);
  };
}

/** Most texts that do not start with another differ at its end, where addresses and paths have less in common. */
function startsWith(text: string, start: string): boolean {
  const { length } = start;
  if (text.length < length) return false;
  if (length > 0 && text.charCodeAt(length - 1) !== start.charCodeAt(length - 1)) return false;
  // Searching backwards from the start checks one position only, and is faster than the built-in test.
  return text.lastIndexOf(start, 0) === 0;
}

function endsWith(text: string, end: string): boolean {
  return text.endsWith(end);
}
