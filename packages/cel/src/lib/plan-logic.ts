import type { CallNode, Expression } from './ast.ts';
import type { Evaluate } from './frame.ts';
import type { Plan } from './plan.ts';
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

function undecided(values: readonly Value[]): EvaluationError {
  for (const value of values) if (value instanceof EvaluationError) return value;
  return noSuchOverload();
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
