import { evaluatePolicies, type PolicyEvaluation } from '@ashlar/admission';
import type { ApiObject, UserInfo, Vocabulary } from '@ashlar/core';
import { UsageError } from '../../usage-error.ts';
import type { VettedPolicies } from './read-policies.ts';
import type { VetLine, VetSeverity } from './vet-report.ts';

/** The write of an object, and who does it. */
export interface VettedWrite {
  readonly object: ApiObject;
  /** Absent for a creation. */
  readonly oldObject: ApiObject | undefined;
  /** Plural of its kind. */
  readonly resource: string;
  /** Undefined for the administrator. */
  readonly user: UserInfo | undefined;
  readonly vocabulary: Vocabulary;
}

/**
 * Asks policies about the creation or the update of an object.
 * @throws UsageError for a policy that no server would store
 */
export async function vetPolicies(
  { policies, namespaces, params }: VettedPolicies,
  { object, oldObject, resource, user, vocabulary }: VettedWrite,
): Promise<readonly VetLine[]> {
  try {
    const { evaluations } = await evaluatePolicies({
      ...{ policies, namespaces, params, object, resource, vocabulary },
      ...(oldObject && { oldObject }),
      ...(user && { user }),
    });
    return evaluations.flatMap(linesOf);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`flag --policies: ${error.message}`);
  }
}

/** One line for each failure; one if there is none. */
function linesOf(evaluation: PolicyEvaluation): readonly VetLine[] {
  const { failures, annotationErrors, actions } = evaluation;
  const lines = [
    ...failures.map(({ message, expressionIndex }) =>
      failureLine(evaluation, actions, message, expressionIndex),
    ),
    ...annotationErrors.map((message) => failureLine(evaluation, ['Deny'], message)),
  ];
  return lines.length === 0 ? [{ text: `${namesOf(evaluation)} holds, cost ${costOf(evaluation)}` }] : lines;
}

function failureLine(
  evaluation: PolicyEvaluation,
  actions: readonly string[],
  message: string,
  expressionIndex?: number,
): VetLine {
  const { policy, binding, params, costs } = evaluation;
  const cost = costOf(evaluation);
  // what is wrong with a policy as a whole is about none of its expressions
  const index = costs.length > 0 ? expressionIndex : undefined;
  const place = index === undefined ? '' : ` (spec.validations[${index}])`;
  return {
    text: `${namesOf(evaluation)}: ${actions.join(', ')}: ${message}${place}, cost ${cost}`,
    problem: {
      ...{ severity: severityOf(actions), message, policy },
      ...(binding !== undefined && { binding }),
      ...(params !== undefined && { params }),
      ...(index !== undefined && { expressionIndex: index }),
      ...{ actions, cost },
    },
  };
}

function severityOf(actions: readonly string[]): VetSeverity {
  if (actions.includes('Deny')) return 'error';
  return actions.includes('Warn') ? 'warning' : 'note';
}

/** Cost units of all validations. */
const costOf = ({ costs }: PolicyEvaluation): number => costs.reduce((sum, each) => sum + each, 0);

function namesOf({ policy, binding, params }: PolicyEvaluation): string {
  const bound = binding === undefined ? '' : ` with binding ${JSON.stringify(binding)}`;
  const given = params === undefined ? '' : ` and parameters ${JSON.stringify(params)}`;
  return `policy ${JSON.stringify(policy)}${bound}${given}`;
}
