import { evaluatePolicies, type ParamKindType, type PolicyEvaluation, policyNames } from '@ashlar/admission';
import type { ApiObject, UserInfo, Vocabulary } from '@ashlar/core';
import type { ApiCatalog } from '@ashlar/http';
import { UsageError } from '../../usage-error.ts';
import { findKind } from './find-kind.ts';
import type { VettedPolicies } from './read-policies.ts';
import { reportedNames, totalCost, type VetLine, type VetSeverity, withExpressions } from './vet-report.ts';

/** The write of an object, and its user. */
export interface VettedWrite {
  readonly object: ApiObject;
  /** Absent for a creation. */
  readonly oldObject: ApiObject | undefined;
  /** Plural of its kind. */
  readonly resource: string;
  /** Undefined for the administrator. */
  readonly user: UserInfo | undefined;
  readonly vocabulary: Vocabulary;
  /** Types that exist, also as parameters. */
  readonly catalog: ApiCatalog;
  /** Whether the value of each expression is reported. */
  readonly explain: boolean;
}

/**
 * Asks policies about the creation or the update of an object.
 * @throws UsageError for a policy that no server would store
 */
export async function vetPolicies(
  { validating: policies, namespaces, params }: VettedPolicies,
  { object, oldObject, resource, user, vocabulary, catalog, explain }: VettedWrite,
): Promise<readonly VetLine[]> {
  if (policies.length === 0) return [];
  try {
    const { evaluations } = await evaluatePolicies({
      ...{ policies, namespaces, params, object, resource, vocabulary, explain },
      ...(oldObject && { oldObject }),
      ...(user && { user }),
      findParamKind: (apiVersion, kind) => paramKindIn(catalog, apiVersion, kind),
    });
    return evaluations.flatMap(linesOf);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`flag --policies: ${error.message}`);
  }
}

/** Returns the type of a kind of parameters; undefined if it is not served. */
export function paramKindIn(
  catalog: ApiCatalog,
  apiVersion: string,
  kind: string,
): ParamKindType | undefined {
  const definition = findKind(catalog, { apiVersion, kind, metadata: {} })?.definition;
  return definition && { resource: definition.names.plural, isNamespaced: definition.scope === 'Namespaced' };
}

/** One line for each failure, one if there is none; what explains the values of expressions is below the last. */
function linesOf(evaluation: PolicyEvaluation): readonly VetLine[] {
  const { failures, annotationErrors, actions } = evaluation;
  const lines = [
    ...failures.map(({ message, expressionIndex }) =>
      failureLine(evaluation, actions, message, expressionIndex),
    ),
    ...annotationErrors.map((message) => failureLine(evaluation, ['Deny'], message)),
  ];
  const holds = { text: `${policyNames(evaluation)} holds, cost ${totalCost(evaluation.costs)}` };
  const last = lines.pop() ?? holds;
  return [...lines, withExpressions(last, evaluation)];
}

function failureLine(
  evaluation: PolicyEvaluation,
  actions: readonly string[],
  message: string,
  expressionIndex?: number,
): VetLine {
  const { costs } = evaluation;
  const cost = totalCost(costs);
  // an error of the policy itself concerns none of its expressions
  const index = costs.length > 0 ? expressionIndex : undefined;
  const place = index === undefined ? '' : ` (spec.validations[${index}])`;
  return {
    text: `${policyNames(evaluation)}: ${actions.join(', ')}: ${message}${place}, cost ${cost}`,
    problem: {
      ...{ severity: severityOf(actions), message },
      ...reportedNames(evaluation),
      ...(index !== undefined && { expressionIndex: index }),
      ...{ actions, cost },
    },
  };
}

function severityOf(actions: readonly string[]): VetSeverity {
  if (actions.includes('Deny')) return 'error';
  return actions.includes('Warn') ? 'warning' : 'note';
}
