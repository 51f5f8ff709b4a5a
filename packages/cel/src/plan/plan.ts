import type { DeclarationScope } from '../check/declaration-scope.ts';
import type { CostModel } from '../cost/cost-model.ts';
import type { EvaluationError, Value } from '../values/values.ts';
import type { Evaluate } from './frame.ts';
import type { Source } from './plan-path.ts';

/**
 * A planned node. Its fixed cost is known in advance and is not counted by `run`: the caller adds `units`,
 * together with its own, so that counting costs next to nothing.
 */
export interface Plan {
  /** Returns the value and adds the costs that depend on values; never its `units`. */
  readonly run: Evaluate;
  /** Cost units of every run, whatever the result. */
  readonly units: number;
  /** Its constant value, if any; it is free then. */
  readonly constant?: Value;
  /** Kind of access, which determines the cost of further accesses. */
  readonly access?: 'attribute' | 'conditional';
  /** Its `units` as the branch of a conditional, which reads it without the cost of its root. */
  readonly branchUnits?: number;
  /** Of joined texts: the parts, so that another can be appended. */
  readonly parts?: readonly JoinedText[];
}

/** A part of a joined text. */
export interface JoinedText {
  readonly run: Evaluate;
  /** Code points, if constant. */
  readonly size: number | undefined;
  readonly position: number;
}

/** A loop variable during planning. */
export interface Local extends Source {
  readonly name: string;
}

/** Thrown when planning detects that the expression can never have a value. */
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
  /** Without a model costs are not counted. */
  readonly model: CostModel | undefined;
  /** Whether constant parts are folded, so that they are free. */
  readonly foldConstants: boolean;
  /** Plans all loops in the general way; tests compare the specialized ways with it. */
  readonly generalLoops?: boolean;
}

/** A plan with a constant value. */
export function constantPlan(value: Value): Plan {
  return { run: () => value, units: 0, constant: value };
}

/** The plan as a closure that counts all of its cost, for nodes that do not always run. */
export function charged({ run, units }: Plan): Evaluate {
  if (units === 0) return run;
  return (frame) => {
    frame.cost += units;
    return run(frame);
  };
}
