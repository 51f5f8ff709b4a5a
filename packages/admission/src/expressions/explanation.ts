import { toJson, type Value } from '@ashlar/cel';
import type { JsonValue } from '@ashlar/core';
import type { AdmissionExpression } from './admission-expression.ts';

/** An expression with its value. */
export interface ExplainedExpression {
  /** Its place in the policy: `spec.validations[0].expression`. */
  readonly field: string;
  /** Name of a variable, key of an annotation. */
  readonly name?: string;
  readonly expression: string;
  /** Absent if there was an error. */
  readonly value?: JsonValue;
  readonly error?: string;
  /** Cost units; those of a variable count for the expression that was the first to read it, too. */
  readonly cost: number;
}

/** Its place, with its name: `spec.variables[0].expression (replicas)`. */
export const placeText = ({ field, name }: ExplainedExpression): string =>
  name === undefined ? field : `${field} (${name})`;

/** What it is and what it was: `object.spec.replicas <= 5 => false, cost 4`. */
export function outcomeText({ expression, value, error, cost }: ExplainedExpression): string {
  const outcome = error === undefined ? JSON.stringify(value) : `error: ${error}`;
  return `${expression} => ${outcome}, cost ${cost}`;
}

/** One line: place, expression, value and cost. */
export const explainedText = (explained: ExplainedExpression): string =>
  `${placeText(explained)}: ${outcomeText(explained)}`;

/** The value of an expression, or why it has none. */
interface Outcome {
  readonly value?: Value | undefined;
  readonly error?: string | undefined;
  readonly cost: number;
}

/** The expressions of a policy with their values, in the order in which they got them. */
export class Explanation {
  readonly expressions: ExplainedExpression[] = [];

  add(field: string, { text }: AdmissionExpression, { value, error, cost }: Outcome, name?: string): void {
    this.expressions.push({
      field,
      ...(name !== undefined && { name }),
      expression: text,
      ...(error === undefined ? { value: toJson(value ?? null) } : { error }),
      cost,
    });
  }

  /** Adds a variable, unless it is there with this value: messages compute variables again. */
  addVariable(index: number, name: string, expression: AdmissionExpression, outcome: Outcome): void {
    const field = `spec.variables[${index}].expression`;
    const before = this.expressions.findLast((each) => each.field === field);
    this.add(field, expression, outcome, name);
    const added = this.expressions.at(-1);
    if (before && JSON.stringify(before) === JSON.stringify(added)) this.expressions.pop();
  }
}
