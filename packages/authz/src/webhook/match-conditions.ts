import {
  accessReviewDeclarations,
  declaredTypeText,
  type Program,
  sameType,
  serverEnvironment,
  types,
} from '@ashlar/cel';
import { type AuthorizationAttributes, joinedTexts, oncePerVocabulary, type Vocabulary } from '@ashlar/core';
import { type ReviewSelectors, reviewSelectors } from './review-selectors.ts';

/** Maximum cost units of one condition, as in admission. */
const COST_LIMIT = 10_000_000;

/** A compiled condition. */
export interface MatchCondition {
  readonly text: string;
  readonly program: Program;
}

const environmentOf = oncePerVocabulary((vocabulary) =>
  serverEnvironment({ vocabulary }).extend(accessReviewDeclarations(vocabulary)),
);

/** Compiles a condition; returns its error as a string. */
export function compileMatchCondition(text: string, vocabulary: Vocabulary): MatchCondition | string {
  const environment = environmentOf(vocabulary);
  const compiled = environment.compile(text);
  if (!compiled.ok) {
    const what = compiled.stage === 'plan' ? 'program instantiation failed' : 'compilation failed';
    return `${what}: ${compiled.text}`;
  }
  const { program, expression } = compiled;
  if (!sameType(expression.type, types.bool))
    return `must evaluate to bool but got ${declaredTypeText(expression.type)}`;
  return { text, program };
}

/**
 * Whether a request meets all conditions: a false one decides, whatever the others are
 * (semantics/access#authorization). An error is returned if there is one and none is false.
 */
export function matchesConditions(
  conditions: readonly MatchCondition[],
  attributes: AuthorizationAttributes,
): boolean | Error {
  if (conditions.length === 0) return true;
  const request = requestOf(attributes);
  const errors: string[] = [];
  for (const { text, program } of conditions) {
    const result = program.evaluate({ request }, { costLimit: COST_LIMIT });
    if (!result.ok)
      errors.push(`cel evaluation error: expression '${text}' resulted in error: ${result.error.message}`);
    else if (result.value !== true) return false;
  }
  if (errors.length === 0) return true;
  return new Error(joinedTexts(errors));
}

/** Returns the input of conditions: the spec of a review, with all its fields. */
function requestOf(attributes: AuthorizationAttributes): Readonly<Record<string, unknown>> {
  const { user, verb, path, isResourceRequest } = attributes;
  const who = { user: user.name, groups: user.groups, uid: user.uid ?? '', extra: user.extra ?? {} };
  if (!isResourceRequest) return { ...who, nonResourceAttributes: { path, verb } };
  const { namespace, apiGroup: group, apiVersion: version, resource, subresource, name } = attributes;
  const about = { namespace, verb, group, version, resource, subresource, name };
  return { ...who, resourceAttributes: { ...about, ...withValues(reviewSelectors(attributes)) } };
}

/** Each requirement has values here, if only none. */
const withValues = (selectors: ReviewSelectors): ReviewSelectors =>
  Object.fromEntries(
    Object.entries(selectors).map(([name, { requirements }]) => [
      name,
      { requirements: requirements.map((requirement) => ({ values: [], ...requirement })) },
    ]),
  );
