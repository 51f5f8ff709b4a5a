import {
  type Bindings,
  type CelType,
  type Evaluation,
  EvaluationError,
  ObjectValue,
  Suspension,
  types,
  type Value,
  workSpent,
} from '@ashlar/cel';
import { pause, type Vocabulary } from '@ashlar/core';
import { type AdmissionExpression, variablesTypeName } from '../expressions/admission-expression.ts';
import {
  type Budget,
  type ComputedVariables,
  OutOfBudget,
  type PolicyAmbient,
} from '../expressions/evaluate-expression.ts';
import type { Explanation } from '../expressions/explanation.ts';

/** Maximum cost units of a variable: that of an expression. */
const COST_LIMIT = 1_000_000;

/**
 * What a variable is read by is not paid for before it has its value: those that are read by many others, one by the other, may cost less, so
 * that all of them together cost no more than a policy may.
 */
const costLimit = (depth: number): number => (depth < 5 ? COST_LIMIT : COST_LIMIT / depth ** 2);

/** After how much work, in cost units, others are let in: about ten milliseconds. What reads the variables is evaluated again then. */
const WORK_BETWEEN_PAUSES = 500_000;

/**
 * The value of `variables`: each is evaluated when it is first read, and only then costs something
 * (semantics/admission#validatingadmissionpolicy).
 */
export class LazyVariables extends ObjectValue implements ComputedVariables {
  readonly type: CelType;
  readonly #expressions: ReadonlyMap<string, AdmissionExpression>;
  readonly #values: Map<string, Value> = new Map();
  readonly #ambient: PolicyAmbient;
  readonly #explanation: Explanation | undefined;
  #bindings: Bindings = {};
  #budget: Pick<Budget, 'remaining'> = { remaining: 0 };
  #cost = 0;
  #paused = workSpent();
  #depth = 0;

  constructor(
    expressions: ReadonlyMap<string, AdmissionExpression>,
    vocabulary: Vocabulary,
    ambient: PolicyAmbient,
    explanation?: Explanation,
  ) {
    super();
    this.#expressions = expressions;
    this.#ambient = ambient;
    this.#explanation = explanation;
    this.type = types.object(variablesTypeName(vocabulary));
  }

  /** Sets what variables read and may cost; those that have been evaluated are evaluated again. */
  bind(bindings: Bindings, budget: Budget): void {
    this.#bindings = bindings;
    this.#budget = budget;
    this.#cost = 0;
    this.#values.clear();
  }

  /** @throws OutOfBudget, and Suspension when it is time to let others in: the value is kept */
  get(field: string): Value | undefined {
    const cached = this.#values.get(field);
    if (cached !== undefined) return cached;
    const expression = this.#expressions.get(field);
    if (!expression) return undefined;
    // one that is declared twice may read itself
    this.#values.set(field, new EvaluationError(`composited variable "${field}" reads itself`));
    let value: Value | undefined;
    this.#depth++;
    try {
      value = this.#evaluate(field, expression);
    } finally {
      this.#depth--;
      if (value === undefined) this.#values.delete(field);
      else this.#values.set(field, value);
    }
    this.#requireBudget();
    return value;
  }

  #requireBudget(): void {
    if (this.#cost > this.#budget.remaining) throw new OutOfBudget();
    if (workSpent() - this.#paused < WORK_BETWEEN_PAUSES) return;
    throw new Suspension(this.#pause());
  }

  /** What others take meanwhile does not count. */
  async #pause(): Promise<void> {
    await pause(this.#ambient);
    this.#paused = workSpent();
  }

  fields(): Iterable<string> {
    return this.#expressions.keys();
  }

  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate(field: string, expression: AdmissionExpression): Value {
    const { program, error } = expression;
    if (!program) return new EvaluationError(`composited variable "${field}" fails to compile: ${error}`);
    const result = program.evaluate(this.#bindings, { costLimit: costLimit(this.#depth) });
    this.#cost += result.cost;
    if (this.#explanation) this.#explain(this.#explanation, field, expression, result);
    if (result.ok) return result.value;
    return new EvaluationError(`composited variable "${field}" fails to evaluate: ${result.error.message}`);
  }

  #explain(
    explanation: Explanation,
    field: string,
    expression: AdmissionExpression,
    result: Evaluation,
  ): void {
    const { cost } = result;
    const outcome = result.ok ? { value: result.value, cost } : { error: result.error.message, cost };
    explanation.addVariable([...this.fields()].indexOf(field), field, expression, outcome);
  }
}
