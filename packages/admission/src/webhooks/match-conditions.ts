import {
  authorizerValue,
  type Bindings,
  type Environment,
  type Program,
  policyDeclarations,
  requestResourceValue,
  sameType,
  serverEnvironment,
  types,
  typeText,
} from '@ashlar/cel';
import type { Authorizer, Vocabulary } from '@ashlar/core';
import type { AdmissionRequest } from '../admission-request.ts';

/** Maximum cost units of all conditions of one webhook for one request. */
const BUDGET = 2_500_000;
/** Maximum cost units of one condition. */
const COST_LIMIT = 1_000_000;

interface CompiledCondition {
  readonly text: string;
  readonly program: Program;
}

/** The conditions of a webhook, compiled. */
export type MatchConditions = readonly CompiledCondition[];

const environments = new WeakMap<Vocabulary, Environment>();

/** Compiles a condition of a webhook; returns its error as a string. */
export function compileMatchCondition(
  expression: string,
  vocabulary: Vocabulary,
): CompiledCondition | string {
  const environment =
    environments.get(vocabulary) ??
    serverEnvironment({ vocabulary }).extend(policyDeclarations(vocabulary, { authorizer: true }));
  environments.set(vocabulary, environment);
  const text = expression.trim();
  const compiled = environment.compile(text);
  if (!compiled.ok) {
    const what = compiled.stage === 'plan' ? 'program instantiation failed' : 'compilation failed';
    return `${what}: ${compiled.text}`;
  }
  const { program } = compiled;
  if (!sameType(compiled.expression.type, types.bool))
    return `must evaluate to bool but got ${typeText(compiled.expression.type)}`;
  return { text, program };
}

/** The variables of conditions, in the version in which the webhook is called. */
export interface ConditionInput {
  readonly request: AdmissionRequest;
  /** The request as the review says it, which conditions read. */
  readonly review: Readonly<Record<string, unknown>>;
  readonly object: unknown;
  readonly oldObject: unknown;
}

/**
 * Whether a request meets all conditions of a webhook: a false one decides, whatever the others are (semantics/admission#webhook-configuration).
 * An error is returned if there is one and none is false.
 */
export async function meetsConditions(
  conditions: MatchConditions,
  input: ConditionInput,
  vocabulary: Vocabulary,
  authorizer: Authorizer,
): Promise<boolean | Error> {
  const bindings = bindingsOf(input, vocabulary, authorizer);
  const errors: string[] = [];
  let budget = BUDGET;
  for (const { text, program } of conditions) {
    const costLimit = Math.min(budget, COST_LIMIT);
    const result = await program.evaluateAsync(bindings, { costLimit });
    budget -= result.cost;
    if (result.ok && result.value !== true) return false;
    if (!result.ok) errors.push(`expression '${text}' resulted in error: ${result.error.message}`);
    if (budget > 0) continue;
    errors.push(
      'validation failed due to running out of cost budget, no further validation rules will be run',
    );
    break;
  }
  if (errors.length === 0) return true;
  return new Error(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`);
}

function bindingsOf(
  { request, review, object, oldObject }: ConditionInput,
  vocabulary: Vocabulary,
  authorizer: Authorizer,
): Bindings {
  const { user, resource, subresource, namespace, name } = request;
  return {
    object,
    oldObject,
    request: review,
    namespaceObject: null,
    authorizer: authorizerValue(vocabulary, authorizer, user),
    'authorizer.requestResource': requestResourceValue(vocabulary, authorizer, user, {
      ...{ apiGroup: resource.group, resource: resource.resource, subresource, namespace, name },
    }),
  };
}
