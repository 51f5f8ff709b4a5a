import { type CheckedExpression, isChecked, type Reference } from '../check/checked-expression.ts';
import type { DeclarationScope } from '../check/declaration-scope.ts';
import { pathKey, reusedPaths } from '../check/path-uses.ts';
import { type CelType, types } from '../check/types.ts';
import type { CostModel } from '../cost/cost-model.ts';
import type { Expression, ParsedExpression } from '../syntax/ast.ts';
import { EvaluationError } from '../values/values.ts';
import type { Evaluate } from './frame.ts';
import { charged, constantPlan, type Local, type Plan, type PlanOptions } from './plan.ts';
import { planAttribute } from './plan-attribute.ts';
import { planCall } from './plan-call.ts';
import { planList, planMap, planMessage } from './plan-literal.ts';
import { planComprehension } from './plan-loop.ts';
import type { Source } from './plan-path.ts';
import type { Planner } from './planner.ts';

/** Plans an expression: turns its tree into closures. */
export class ExpressionPlanner implements Planner {
  readonly scope: DeclarationScope;
  readonly model: CostModel | undefined;
  readonly foldConstants: boolean;
  readonly generalLoops: boolean;
  readonly #checked: CheckedExpression | undefined;
  readonly #locals: Local[] = [];
  readonly #variables = new Map<string, number>();
  readonly #reusedPaths: ReadonlySet<string>;
  readonly #reusedSlots = new Map<string, number>();
  /** Number of slots that a frame needs. */
  slots = 0;

  constructor(expression: ParsedExpression | CheckedExpression, options: PlanOptions) {
    this.scope = options.scope;
    this.model = options.model;
    this.foldConstants = options.foldConstants;
    this.generalLoops = options.generalLoops ?? false;
    this.#checked = isChecked(expression) ? expression : undefined;
    this.#reusedPaths = this.#checked ? reusedPaths(this.#checked) : new Set();
  }

  /** Whether the expression has been type checked. */
  get isChecked(): boolean {
    return this.#checked !== undefined;
  }

  /** Returns the type of a node; dyn if the expression was not checked. */
  typeOf(node: Expression): CelType {
    return this.#checked?.types[node.id] ?? types.dyn;
  }

  /** Returns the declaration that the checker resolved a node to. */
  referenceOf(node: Expression): Reference | undefined {
    return this.#checked?.references[node.id];
  }

  /** Returns the innermost loop variable of the name. */
  findLocal(name: string): Local | undefined {
    for (let i = this.#locals.length - 1; i >= 0; i--) {
      if (this.#locals[i]?.name === name) return this.#locals[i];
    }
    return undefined;
  }

  /** Calls `plan` with loop variables in scope. */
  withLocals<T>(locals: readonly Local[], plan: () => T): T {
    this.#locals.push(...locals);
    const result = plan();
    this.#locals.length -= locals.length;
    return result;
  }

  /** Slots of the variables that the expression reads, by name. */
  get variables(): ReadonlyMap<string, number> {
    return this.#variables;
  }

  /** Returns the slot of a variable. An evaluation stores the bound value there before it starts. */
  variableSlot(name: string): Source {
    const slot = this.#variables.get(name) ?? this.newSlot();
    this.#variables.set(name, slot);
    return { slot, fill: () => new EvaluationError(`no such attribute(s): ${name}`) };
  }

  /** Returns the slot that holds the value of a path which is read more than once; undefined for every other path. */
  reusedSlot(path: readonly string[]): number | undefined {
    const key = pathKey(path);
    if (!this.#reusedPaths.has(key)) return undefined;
    const slot = this.#reusedSlots.get(key) ?? this.newSlot();
    this.#reusedSlots.set(key, slot);
    return slot;
  }

  /** Allocates a slot of the frame. */
  newSlot(): number {
    return this.slots++;
  }

  /** Returns cost units to add at run time, or 0 if costs are not counted. */
  units(count: (model: CostModel) => number): number {
    return this.model ? count(this.model) : 0;
  }

  /** Plans a node as a closure that also counts its fixed cost. Throws {@link PlanError}. */
  planCharged(node: Expression): Evaluate {
    return charged(this.plan(node));
  }

  /** Plans a node. Throws {@link PlanError}. */
  plan(node: Expression): Plan {
    switch (node.kind) {
      case 'constant':
        return constantPlan(node.value);
      case 'identifier':
      case 'select':
        return planAttribute(this, node);
      case 'call':
        return planCall(this, node);
      case 'list':
        return planList(this, node);
      case 'map':
        return planMap(this, node);
      case 'message':
        return planMessage(this, node);
      case 'comprehension':
        return planComprehension(this, node);
    }
  }
}
