import type { Reference } from '../check/checked-expression.ts';
import type { DeclarationScope } from '../check/declaration-scope.ts';
import type { CelType } from '../check/types.ts';
import type { CostModel } from '../cost/cost-model.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Evaluate } from './frame.ts';
import type { Local, Plan } from './plan.ts';
import type { Source } from './plan-path.ts';

/**
 * Plans the parts of one expression. The planners of single kinds of nodes call it for their operands; its
 * one implementation calls them, which is why they know this interface only.
 */
export interface Planner {
  readonly scope: DeclarationScope;
  /** Undefined if costs are not counted. */
  readonly model: CostModel | undefined;
  readonly foldConstants: boolean;
  readonly generalLoops: boolean;
  /** Whether the expression has been type checked. */
  readonly isChecked: boolean;
  /** Returns the type of a node; dyn if the expression was not checked. */
  typeOf(node: Expression): CelType;
  /** Returns the declaration that the checker resolved a node to. */
  referenceOf(node: Expression): Reference | undefined;
  /** Returns the innermost loop variable of the name. */
  findLocal(name: string): Local | undefined;
  /** Calls `plan` with loop variables in scope. */
  withLocals<T>(locals: readonly Local[], plan: () => T): T;
  /** Returns the slot of a variable. An evaluation stores the bound value there before it starts. */
  variableSlot(name: string): Source;
  /** Returns the slot that holds the value of a path which is read more than once; undefined for every other path. */
  reusedSlot(path: readonly string[]): number | undefined;
  /** Allocates a slot of the frame. */
  newSlot(): number;
  /** Returns cost units to add at run time, or 0 if costs are not counted. */
  units(count: (model: CostModel) => number): number;
  /** Plans a node as a closure that also counts its fixed cost. Throws `PlanError`. */
  planCharged(node: Expression): Evaluate;
  /** Plans a node. Throws `PlanError`. */
  plan(node: Expression): Plan;
}
