import { type Bindings, type CelType, EvaluationError, ObjectValue, types, type Value } from '@ashlar/cel';
import type { Vocabulary } from '@ashlar/core';
import { type AdmissionExpression, variablesTypeName } from '../expressions/admission-expression.ts';
import { type ComputedVariables, VARIABLE_LIMITS } from '../expressions/evaluate-expression.ts';

/**
 * The value of `variables`: each is evaluated when it is first read, and only then costs something
 * (semantics/admission#validatingadmissionpolicy).
 */
export class LazyVariables extends ObjectValue implements ComputedVariables {
  readonly type: CelType;
  readonly #expressions: ReadonlyMap<string, AdmissionExpression>;
  readonly #values: Map<string, Value> = new Map();
  #bindings: Bindings = {};
  #cost = 0;

  constructor(expressions: ReadonlyMap<string, AdmissionExpression>, vocabulary: Vocabulary) {
    super();
    this.#expressions = expressions;
    this.type = types.object(variablesTypeName(vocabulary));
  }

  /** Sets what variables read; those that have been evaluated are evaluated again. */
  bind(bindings: Bindings): void {
    this.#bindings = bindings;
    this.#values.clear();
  }

  get(field: string): Value | undefined {
    const known = this.#values.get(field);
    if (known !== undefined) return known;
    const expression = this.#expressions.get(field);
    if (!expression) return undefined;
    // one that is declared twice may read itself
    this.#values.set(field, new EvaluationError(`composited variable "${field}" reads itself`));
    let value: Value | undefined;
    try {
      value = this.#evaluate(field, expression);
    } finally {
      if (value === undefined) this.#values.delete(field);
      else this.#values.set(field, value);
    }
    return value;
  }

  fields(): Iterable<string> {
    return this.#expressions.keys();
  }

  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate(field: string, { program, error }: AdmissionExpression): Value {
    if (!program) return new EvaluationError(`composited variable "${field}" fails to compile: ${error}`);
    const result = program.evaluate(this.#bindings, VARIABLE_LIMITS);
    this.#cost += result.cost;
    if (result.ok) return result.value;
    return new EvaluationError(`composited variable "${field}" fails to evaluate: ${result.error.message}`);
  }
}
