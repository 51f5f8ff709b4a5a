import type { JsonValue } from '@ashlar/core';
import { typeText } from '../check/types.ts';
import type { Estimate } from '../cost/estimate.ts';
import type { Environment } from '../environment/environment.ts';
import type { Bindings } from '../plan/frame.ts';
import type { EvaluateOptions } from '../plan/program.ts';
import { issueText } from '../syntax/source.ts';
import { toJson } from '../values/to-json.ts';

/** Result and cost of an expression over sample data. */
export type Vetting =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /** Type that the checker found, as messages print it. */
      readonly type: string;
      /** Cost units of this evaluation. */
      readonly cost: number;
      /** Minimum and maximum cost units of an evaluation. */
      readonly estimate: Estimate;
    }
  | {
      readonly ok: false;
      /** The error, with position and caret if it has a position. */
      readonly error: string;
      /** Cost units until it failed; absent if the expression did not run. */
      readonly cost?: number;
    };

/**
 * Compiles an expression and evaluates it over data, for tools that test expressions. Never throws.
 * @example
 * const environment = createEnvironment({ variables: { object: types.dyn } });
 * vetExpression(environment, 'object.spec.replicas * 2', { object: { spec: { replicas: 3 } } });
 * // { ok: true, value: 6, type: 'int', cost: 4, estimate: { min: 4n, max: 4n } }
 */
export function vetExpression(
  environment: Environment,
  text: string,
  bindings: Bindings,
  options: EvaluateOptions = {},
): Vetting {
  const compiled = environment.compile(text);
  if (!compiled.ok) return { ok: false, error: compiled.text };
  const { program, expression } = compiled;
  const result = program.evaluate(bindings, options);
  const { cost } = result;
  if (!result.ok) {
    const { message, position } = result.error;
    const error = position === undefined ? message : issueText(text, { message, position });
    return { ok: false, error, cost };
  }
  const estimate = environment.estimate(expression);
  return { ok: true, value: toJson(result.value), type: typeText(expression.type), cost, estimate };
}
