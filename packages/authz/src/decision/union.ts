import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  joinedMessages,
} from '@ashlar/core';
import { rulesOf } from '../rbac/rules-of.ts';
import { decisionOf } from './decision-of.ts';

/**
 * Calls authorizers in order: the first that allows or denies decides. If none does, the result is no opinion
 * with all reasons, joined by line feeds, and all errors (semantics/access#authorization). An authorizer that
 * throws counts as one with an error and no opinion.
 */
export function createUnionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize: (attributes, signal) => firstDecision({ authorizers, attributes, signal }, 0, []),
    rules: (user, namespace) => rulesOf(authorizers, user, namespace),
  };
}

interface Question {
  readonly authorizers: readonly Authorizer[];
  readonly attributes: AuthorizationAttributes;
  readonly signal: AbortSignal | undefined;
}

/** Runs without a promise as long as the authorizers answer synchronously. */
function firstDecision(
  question: Question,
  from: number,
  before: readonly AuthorizationDecision[],
): AuthorizationDecision | Promise<AuthorizationDecision> {
  const passed = [...before];
  for (let i = from; i < question.authorizers.length; i++) {
    const result = decisionOf(question.authorizers[i] as Authorizer, question.attributes, question.signal);
    if (result instanceof Promise) {
      return result.then((settled) =>
        settled.decision === 'no-opinion' ? firstDecision(question, i + 1, [...passed, settled]) : settled,
      );
    }
    if (result.decision !== 'no-opinion') return result;
    passed.push(result);
  }
  return noOpinion(passed);
}

function noOpinion(passed: readonly AuthorizationDecision[]): AuthorizationDecision {
  const reason = passed.flatMap(({ reason: text }) => (text ? [text] : [])).join('\n');
  const errors = passed.flatMap(({ error }) => (error ? [error] : []));
  return {
    decision: 'no-opinion',
    ...(reason && { reason }),
    ...(errors.length > 0 && { error: joined(errors) }),
  };
}

/** One error unchanged; several as one. */
const joined = (errors: readonly Error[]): Error =>
  errors.length === 1 ? (errors[0] as Error) : new AggregateError(errors, joinedMessages(errors));
