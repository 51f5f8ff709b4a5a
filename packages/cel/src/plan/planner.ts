import type { CheckedExpression, Reference } from '../check/checker.ts';
import type { DeclarationScope } from '../check/declaration-scope.ts';
import { keptPaths, pathKey } from '../check/path-uses.ts';
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

/** Turns a tree into closures. */
export class Planner {
  readonly scope: DeclarationScope;
  readonly model: CostModel | undefined;
  readonly foldConstants: boolean;
  readonly generalLoops: boolean;
  readonly #checked: CheckedExpression | undefined;
  readonly #locals: Local[] = [];
  readonly #variables = new Map<string, number>();
  readonly #keptPaths: ReadonlySet<string>;
  readonly #keptSlots = new Map<string, number>();
  /** How many slots a frame needs. */
  slots = 0;

  constructor(expression: ParsedExpression | CheckedExpression, options: PlanOptions) {
    this.scope = options.scope;
    this.model = options.model;
    this.foldConstants = options.foldConstants;
    this.generalLoops = options.generalLoops ?? false;
    this.#checked = 'types' in expression ? expression : undefined;
    this.#keptPaths = this.#checked ? keptPaths(this.#checked) : new Set();
  }

  /** Whether the checker has seen the expression. */
  get isChecked(): boolean {
    return this.#checked !== undefined;
  }

  /** The type of a node, dyn when it was not checked. */
  typeOf(node: Expression): CelType {
    return this.#checked?.types[node.id] ?? types.dyn;
  }

  /** What the checker found a node to mean. */
  referenceOf(node: Expression): Reference | undefined {
    return this.#checked?.references[node.id];
  }

  /** The innermost loop variable of the name. */
  findLocal(name: string): Local | undefined {
    for (let i = this.#locals.length - 1; i >= 0; i--) {
      if (this.#locals[i]?.name === name) return this.#locals[i];
    }
    return undefined;
  }

  /** Plans with one more loop variable in sight. */
  withLocals<T>(locals: readonly Local[], plan: () => T): T {
    this.#locals.push(...locals);
    const result = plan();
    this.#locals.length -= locals.length;
    return result;
  }

  /** The variables that are read, and their slots. */
  get variables(): ReadonlyMap<string, number> {
    return this.#variables;
  }

  /** The slot of a variable; an evaluation puts the bound value there before it starts. */
  variableSlot(name: string): Source {
    const slot = this.#variables.get(name) ?? this.newSlot();
    this.#variables.set(name, slot);
    return { slot, fill: () => new EvaluationError(`no such attribute(s): ${name}`) };
  }

  /** The slot where the value of a path is kept because it is read again; undefined when it is not. */
  keptSlot(path: readonly string[]): number | undefined {
    const key = pathKey(path);
    if (!this.#keptPaths.has(key)) return undefined;
    const slot = this.#keptSlots.get(key) ?? this.newSlot();
    this.#keptSlots.set(key, slot);
    return slot;
  }

  /** A slot of the frame that nothing else uses. */
  newSlot(): number {
    return this.slots++;
  }

  /** Cost units to add when running, or 0 when nothing is counted. */
  units(count: (model: CostModel) => number): number {
    return this.model ? count(this.model) : 0;
  }

  /** Plans a node as a closure that counts its whole cost itself. Throws {@link PlanError}. */
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
