import type { DeclarationScope } from '../check/declaration-scope.ts';
import type { CostModel } from '../cost/cost-model.ts';
import type { EvaluationError, Value } from '../values/values.ts';
import type { Evaluate } from './frame.ts';
import type { Source } from './plan-path.ts';

/**
 * A node ready to run. Its fixed cost is known in advance and is not counted by `run`: the caller adds
 * `units`, together with its own, so that counting costs next to no time.
 */
export interface Plan {
  /** Returns the value and adds the costs that depend on values; never its `units`. */
  readonly run: Evaluate;
  /** Cost units of every run, whatever it gives. */
  readonly units: number;
  /** Its value, where it is known before running; it costs nothing then. */
  readonly constant?: Value;
  /** Kind of access, which determines the cost of further reads from it. */
  readonly access?: 'attribute' | 'conditional';
  /** Its `units` as the branch of a conditional, which reads it without the cost of its root. */
  readonly branchUnits?: number;
  /** Of texts that are joined: the parts, for one more to be joined to them. */
  readonly parts?: readonly JoinedText[];
}

/** A part of a text that is joined from several. */
export interface JoinedText {
  readonly run: Evaluate;
  /** Code points, where they are known before running. */
  readonly size: number | undefined;
  readonly position: number;
}

/** A variable of a loop while the loop is planned. */
export interface Local extends Source {
  readonly name: string;
}

/** Thrown where planning finds out that the expression can never give a value. */
export class PlanError extends Error {
  readonly position: number;
  constructor(error: EvaluationError, position: number) {
    super(error.message);
    this.position = position;
  }
}

/** Options of planning. */
export interface PlanOptions {
  readonly scope: DeclarationScope;
  /** Without a model nothing is counted. */
  readonly model: CostModel | undefined;
  /** Whether constant parts are folded, so that they cost nothing. */
  readonly foldConstants: boolean;
  /** Plans all loops the one general way; tests hold the shorter ways against it. */
  readonly generalLoops?: boolean;
}

/** A plan that always gives the value. */
export function constantPlan(value: Value): Plan {
  return { run: () => value, units: 0, constant: value };
}

/** The plan as a closure that counts all of its cost itself, for where it is not known whether it runs. */
export function charged({ run, units }: Plan): Evaluate {
  if (units === 0) return run;
  return (frame) => {
    frame.cost += units;
    return run(frame);
  };
}
