import type { CostModel } from './cost-model.ts';
import type { DeclarationScope } from './declaration-scope.ts';
import type { Evaluate } from './frame.ts';
import type { Source } from './plan-path.ts';
import type { EvaluationError, Value } from './values.ts';

/** A node ready to run. */
export interface Plan {
  readonly run: Evaluate;
  /** Its value, where it is known before running; it costs nothing then. */
  readonly constant?: Value;
  /** What kind of access it is, which decides what reading on from it costs. */
  readonly access?: 'attribute' | 'conditional';
  /** As the branch of a conditional, which reads it without the cost of its root. */
  readonly runAsBranch?: Evaluate;
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

/** How to plan. */
export interface PlanOptions {
  readonly scope: DeclarationScope;
  /** Without a model nothing is counted. */
  readonly model: CostModel | undefined;
  /** Whether constant parts are computed beforehand, at no cost when they run. */
  readonly foldConstants: boolean;
  /** Plans all loops the one general way; tests hold the shorter ways against it. */
  readonly generalLoops?: boolean;
}

/** A plan that always gives the value. */
export function constantPlan(value: Value): Plan {
  return { run: () => value, constant: value };
}
