import type { FunctionDeclaration, Implementation, Overload } from '../check/declarations.ts';
import { accepts } from '../check/runtime-types.ts';
import type { CelType } from '../check/types.ts';
import type { CallCost } from '../cost/cost-model.ts';
import { standardCosts } from '../cost/standard-costs.ts';
import { type CallNode, type Expression, Operator } from '../syntax/ast.ts';
import { qualifiedName } from '../syntax/qualified-name.ts';
import { type MapKey, mapKeyOf } from '../values/maps.ts';
import { missingOverload } from '../values/missing-overload.ts';
import {
  EvaluationError,
  isError,
  listItems,
  noSuchOverload,
  Optional,
  type Value,
} from '../values/values.ts';
import { planOperation } from './call.ts';
import { constantPlan, type Plan, PlanError } from './plan.ts';
import { isAccess, planAttribute } from './plan-attribute.ts';
import { planConditional, planLogic, planNot } from './plan-logic.ts';
import { planEquality, planOperator } from './plan-operator.ts';
import type { Planner } from './planner.ts';

/** Plans an operator, function or method. */
export function planCall(planner: Planner, node: CallNode): Plan {
  if (isAccess(node)) return planAttribute(planner, node);
  switch (node.function) {
    case Operator.and:
      return planLogic(planner, node, false);
    case Operator.or:
      return planLogic(planner, node, true);
    case Operator.not:
      return planNot(planner, node);
    case Operator.conditional:
      return planConditional(planner, node);
    case Operator.equals:
    case Operator.notEquals:
      return planEquality(planner, node);
  }
  return planAlternative(planner, node) ?? planFunction(planner, node);
}

/**
 * `optional.or(other)` and `optional.orValue(other)`: the other is evaluated only if needed, at no further
 * cost.
 */
function planAlternative(planner: Planner, node: CallNode): Plan | undefined {
  const { target, arguments: args } = node;
  if ((node.function !== 'or' && node.function !== 'orValue') || !target || args.length !== 1)
    return undefined;
  const callee = findCallee(planner, node);
  if (!callee?.overloads.some((overload) => overload.id.startsWith('optional_or'))) return undefined;
  const { run: read, units } = planner.plan(target);
  const other = planner.planCharged(args[0] as Expression);
  const unwrap = node.function === 'orValue';
  return {
    run: (frame) => {
      const value = read(frame);
      if (!(value instanceof Optional)) return isError(value) ? value : noSuchOverload();
      if (value.value === undefined) return other(frame);
      return unwrap ? value.value : value;
    },
    units,
  };
}

/** The resolved overloads of a call. */
interface Callee {
  readonly declared: FunctionDeclaration;
  readonly overloads: readonly Overload[];
  readonly operands: readonly Expression[];
}

function findCallee(planner: Planner, node: CallNode): Callee | undefined {
  const reference = planner.referenceOf(node);
  if (reference?.function && reference.overloads) {
    const operands = node.target && !reference.namespaced ? [node.target, ...node.arguments] : node.arguments;
    return { declared: reference.function, overloads: reference.overloads, operands };
  }
  return uncheckedCallee(planner, node);
}

function uncheckedCallee(planner: Planner, node: CallNode): Callee | undefined {
  const prefix = node.target && qualifiedName(node.target);
  const namespaced = prefix && planner.scope.findFunction([...prefix, node.function].join('.'));
  const declared = namespaced ?? planner.scope.findFunction(node.function);
  if (!declared) return undefined;
  const member = node.target !== undefined && !namespaced;
  const operands = member ? [node.target as Expression, ...node.arguments] : node.arguments;
  const overloads = declared.overloads.filter(
    (overload) => overload.member === member && overload.parameters.length === operands.length,
  );
  return { declared, overloads, operands };
}

function planFunction(planner: Planner, node: CallNode): Plan {
  const callee = findCallee(planner, node);
  if (!callee || callee.overloads.length === 0) {
    const name = node.function;
    return {
      run: () => (callee ? noSuchOverload() : new EvaluationError(`unknown function: ${name}`)),
      units: 0,
    };
  }
  const plans = callee.operands.map((operand) => planner.plan(operand));
  const membership = planMembership(planner, callee, plans);
  if (membership) return membership;
  const prepared = prepare(callee, plans, node);
  const implementation = prepared ?? guarded(callee);
  const cost = callCost(planner, callee);
  const operator = planOperator(planner, node, plans, callee.overloads, implementation, cost);
  if (operator) return operator;
  const folded = foldConversion(planner, callee, plans, implementation, node);
  if (folded) return folded;
  return planOperation({
    implementation,
    operands: plans,
    cost,
    model: planner.model,
    position: node.position,
  });
}

/** A test against constant scalars is a lookup in a set; like the set, it is free apart from its operand. */
function planMembership(planner: Planner, callee: Callee, plans: readonly Plan[]): Plan | undefined {
  if (!planner.foldConstants || callee.overloads.length !== 1 || callee.overloads[0]?.id !== 'in_list')
    return undefined;
  const [element, list] = plans as [Plan, Plan];
  const items = list.constant === undefined ? undefined : listItems(list.constant);
  if (!items) return undefined;
  if (items.length === 0) return constantPlan(false);
  const keys = items.map((item) => mapKeyOf(item));
  if (keys.some((key) => key === undefined)) return undefined;
  const set = new Set<MapKey>(keys as MapKey[]);
  const { run, units } = element;
  return {
    run: (frame) => {
      const value = run(frame);
      if (typeof value === 'string') return set.has(value);
      if (isError(value)) return value;
      const key = mapKeyOf(value);
      return key !== undefined && set.has(key);
    },
    units,
  };
}

/** An implementation specialized for the constant operands, such as a pattern compiled once. */
function prepare(callee: Callee, plans: readonly Plan[], node: CallNode): Implementation | undefined {
  const prepared = callee.declared.prepare?.(plans.map((plan) => plan.constant));
  if (isError(prepared)) throw new PlanError(prepared, node.position);
  return prepared;
}

/** The implementation of the call, after checks of its operands: data need not match their declared types. */
function guarded({ declared, overloads }: Callee): Implementation {
  return declared.evaluate ?? dispatch(declared.name, overloads);
}

/** Picks the first overload whose types accept the operands. */
function dispatch(name: string, overloads: readonly Overload[]): Implementation {
  const arity = overloads[0]?.parameters.length;
  if (arity === 1) return dispatchUnary(name, overloads);
  if (arity === 2) return dispatchBinary(name, overloads);
  const choices = overloads.map((overload) => ({
    tests: overload.parameters.map(accepts),
    evaluate: overload.evaluate ?? noSuchOverload,
  }));
  return (...args: Value[]) => {
    for (const { tests, evaluate } of choices) {
      if (args.every((arg, i) => (tests[i] as (value: Value) => boolean)(arg))) return evaluate(...args);
    }
    return missingOverload(name, args as [Value, ...Value[]]);
  };
}

function dispatchBinary(name: string, overloads: readonly Overload[]): Implementation {
  const choices = overloads.map(({ parameters: [left, right], evaluate }) => ({
    left: accepts(left as CelType),
    right: accepts(right as CelType),
    evaluate: evaluate ?? noSuchOverload,
  }));
  return (a, b) => {
    for (let i = 0; i < choices.length; i++) {
      const choice = choices[i] as (typeof choices)[number];
      if (choice.left(a) && choice.right(b)) return choice.evaluate(a, b);
    }
    return missingOverload(name, [a, b]);
  };
}

function dispatchUnary(name: string, overloads: readonly Overload[]): Implementation {
  const choices = overloads.map(({ parameters: [type], evaluate }) => ({
    test: accepts(type as CelType),
    evaluate: evaluate ?? noSuchOverload,
  }));
  const missing: Implementation = (arg) => missingOverload(name, [arg]);
  const find = (arg: Value): Implementation => {
    for (let i = 0; i < choices.length; i++) {
      const choice = choices[i] as (typeof choices)[number];
      if (choice.test(arg)) return choice.evaluate;
    }
    return missing;
  };
  // Most values are texts and small integers.
  const ofText = find('');
  const ofInt = find(0);
  return (arg) => {
    if (typeof arg === 'string') return ofText(arg);
    return (Number.isSafeInteger(arg) ? ofInt : find(arg))(arg);
  };
}

/** Functions of one constant operand that are folded: the conversions between types. */
const CONVERSIONS: ReadonlySet<string> = new Set(
  'bool bytes double duration dyn int string timestamp type uint'.split(' '),
);

function foldConversion(
  planner: Planner,
  { declared }: Callee,
  plans: readonly Plan[],
  implementation: Implementation,
  node: CallNode,
): Plan | undefined {
  const constant = plans[0]?.constant;
  if (
    !planner.foldConstants ||
    plans.length !== 1 ||
    constant === undefined ||
    !CONVERSIONS.has(declared.name)
  ) {
    return undefined;
  }
  const value = implementation(constant);
  if (isError(value)) throw new PlanError(value, node.position);
  return constantPlan(value);
}

/** Cost of a call: a number, or a function of its operands. */
function callCost(planner: Planner, { overloads }: Callee): number | CallCost {
  if (!planner.model) return 0;
  const costs = overloads.map((overload) => overload.cost ?? standardCosts[overload.id]);
  const [first] = costs;
  // If types leave several overloads open, their cost counts only if it is the same.
  return first && costs.every((cost) => cost === first) ? first : 1;
}
