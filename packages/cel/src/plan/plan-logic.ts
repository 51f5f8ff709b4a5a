import type { CallNode, Expression } from '../syntax/ast.ts';
import { type EvaluationError, isError, located, noSuchOverload, type Value } from '../values/values.ts';
import type { Evaluate } from './frame.ts';
import { charged, type Plan } from './plan.ts';
import type { Planner } from './planner.ts';

/** Terms of a tree of one logic operator, from left to right. */
function termsOf(node: Expression, operator: string): readonly Expression[] {
  if (node.kind !== 'call' || node.function !== operator) return [node];
  return node.arguments.flatMap((argument) => termsOf(argument, operator));
}

/**
 * Plans `&&` and `||`. The deciding value (false for and, true for or) ends the evaluation and absorbs errors
 * of the terms before it; without one the first error is the result. Only the first term always runs.
 */
export function planLogic(planner: Planner, node: CallNode, deciding: boolean): Plan {
  const terms = termsOf(node, node.function).map((term) => planner.plan(term));
  const units = (terms[0] as Plan).units;
  if (terms.length === 2) return { run: twoTerms(terms, deciding), units };
  if (terms.length === 3) return { run: threeTerms(terms, deciding), units };
  const [first, ...others] = terms as [Plan, ...Plan[]];
  const runs = [first.run, ...others.map(charged)];
  return {
    run: (frame) => {
      let bad: Value | undefined;
      for (let i = 0; i < runs.length; i++) {
        const value = (runs[i] as Evaluate)(frame);
        if (value === deciding) return deciding;
        if (value !== !deciding) bad ??= undecided([value]);
      }
      return bad ?? !deciding;
    },
    units,
  };
}

function twoTerms(terms: readonly Plan[], deciding: boolean): Evaluate {
  const [{ run: first }, { run: second, units }] = terms as [Plan, Plan];
  return (frame) => {
    const a = first(frame);
    if (a === deciding) return deciding;
    frame.cost += units;
    const b = second(frame);
    if (b === deciding) return deciding;
    return a === !deciding && b === !deciding ? !deciding : undecided([a, b]);
  };
}

function threeTerms(terms: readonly Plan[], deciding: boolean): Evaluate {
  const [{ run: first }, { run: second, units: secondUnits }, { run: third, units: thirdUnits }] = terms as [
    Plan,
    Plan,
    Plan,
  ];
  return (frame) => {
    const a = first(frame);
    if (a === deciding) return deciding;
    frame.cost += secondUnits;
    const b = second(frame);
    if (b === deciding) return deciding;
    frame.cost += thirdUnits;
    const c = third(frame);
    if (c === deciding) return deciding;
    return a === !deciding && b === !deciding && c === !deciding ? !deciding : undecided([a, b, c]);
  };
}

/** The first term that is neither true nor false determines the error. */
function undecided(values: readonly Value[]): EvaluationError {
  const first = values.find((value) => typeof value !== 'boolean');
  return isError(first) ? first : noSuchOverload();
}

/** Plans `!a`. */
export function planNot(planner: Planner, node: CallNode): Plan {
  const { run: operand, units } = planner.plan(node.arguments[0] as Expression);
  const { position } = node;
  return {
    run: (frame) => {
      const value = operand(frame);
      if (value === true) return false;
      if (value === false) return true;
      return located(isError(value) ? value : noSuchOverload(), position);
    },
    units: units + planner.units(() => 1),
  };
}

/** Plans `condition ? a : b`. */
export function planConditional(planner: Planner, node: CallNode): Plan {
  const [condition, yes, no] = node.arguments.map((argument) => planner.plan(argument)) as [Plan, Plan, Plan];
  const decide = condition.run;
  const { run: whenTrue, units: trueUnits } = asBranch(yes);
  const { run: whenFalse, units: falseUnits } = asBranch(no);
  const run: Evaluate = (frame) => {
    const value = decide(frame);
    if (value === true) {
      frame.cost += trueUnits;
      return whenTrue(frame);
    }
    if (value === false) {
      frame.cost += falseUnits;
      return whenFalse(frame);
    }
    return isError(value) ? value : noSuchOverload();
  };
  return { run, units: condition.units, access: 'conditional' };
}

const asBranch = ({ run, units, branchUnits }: Plan): Plan => ({ run, units: branchUnits ?? units });
