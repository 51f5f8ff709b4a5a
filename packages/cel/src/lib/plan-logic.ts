import type { CallNode, Expression } from './ast.ts';
import type { Evaluate } from './frame.ts';
import type { Plan } from './plan.ts';
import { at } from './plan-path.ts';
import type { Planner } from './planner.ts';
import { EvaluationError, noSuchOverload, type Value } from './values.ts';

/** Terms of a tree of one logic operator, from left to right. */
function termsOf(node: Expression, operator: string): readonly Expression[] {
  if (node.kind !== 'call' || node.function !== operator) return [node];
  return node.arguments.flatMap((argument) => termsOf(argument, operator));
}

/**
 * Plans `&&` and `||`. The deciding value (false for and, true for or) ends the evaluation and absorbs errors of the terms
 * before it; without one the first error is the result.
 */
export function planLogic(planner: Planner, node: CallNode, deciding: boolean): Evaluate {
  const terms = termsOf(node, node.function).map((term) => planner.plan(term).run);
  const [left, right] = terms as [Evaluate, Evaluate];
  if (terms.length === 2) {
    return (frame) => {
      const a = left(frame);
      if (a === deciding) return deciding;
      const b = right(frame);
      if (b === deciding) return deciding;
      return a === !deciding && b === !deciding ? !deciding : undecided([a, b]);
    };
  }
  if (terms.length === 3) return threeTerms(terms, deciding);
  return (frame) => {
    let bad: Value | undefined;
    for (let i = 0; i < terms.length; i++) {
      const value = (terms[i] as Evaluate)(frame);
      if (value === deciding) return deciding;
      if (value !== !deciding) bad ??= undecided([value]);
    }
    return bad ?? !deciding;
  };
}

function threeTerms(terms: readonly Evaluate[], deciding: boolean): Evaluate {
  const [first, second, third] = terms as [Evaluate, Evaluate, Evaluate];
  return (frame) => {
    const a = first(frame);
    if (a === deciding) return deciding;
    const b = second(frame);
    if (b === deciding) return deciding;
    const c = third(frame);
    if (c === deciding) return deciding;
    return a === !deciding && b === !deciding && c === !deciding ? !deciding : undecided([a, b, c]);
  };
}

/** The first term that is neither true nor false decides what is wrong. */
function undecided(values: readonly Value[]): EvaluationError {
  const first = values.find((value) => typeof value !== 'boolean');
  return first instanceof EvaluationError ? first : noSuchOverload();
}

/** Plans `!a`. */
export function planNot(planner: Planner, node: CallNode): Plan {
  const operand = planner.plan(node.arguments[0] as Expression).run;
  const units = planner.units(() => 1);
  const { position } = node;
  return {
    run: (frame) => {
      const value = operand(frame);
      frame.cost += units;
      if (value === true) return false;
      if (value === false) return true;
      return at(value instanceof EvaluationError ? value : noSuchOverload(), position);
    },
  };
}

/** Plans `condition ? a : b`. */
export function planConditional(planner: Planner, node: CallNode): Plan {
  const [condition, yes, no] = node.arguments.map((argument) => planner.plan(argument)) as [Plan, Plan, Plan];
  const decide = condition.run;
  const whenTrue = yes.runAsBranch ?? yes.run;
  const whenFalse = no.runAsBranch ?? no.run;
  const run: Evaluate = (frame) => {
    const value = decide(frame);
    if (value === true) return whenTrue(frame);
    if (value === false) return whenFalse(frame);
    return value instanceof EvaluationError ? value : noSuchOverload();
  };
  return { run, access: 'conditional' };
}
