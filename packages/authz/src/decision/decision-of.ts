import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '@ashlar/core';

/**
 * Calls an authorizer. One that throws has no opinion and a generic error: the thrown error is its cause, for
 * the log and not for the caller.
 */
export function decisionOf(
  authorizer: Authorizer,
  attributes: AuthorizationAttributes,
  signal?: AbortSignal,
): AuthorizationDecision | Promise<AuthorizationDecision> {
  try {
    const answer = authorizer.authorize(attributes, signal);
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (cause) {
    return failed(cause);
  }
}

function failed(cause: unknown): AuthorizationDecision {
  return { decision: 'no-opinion', error: new Error('an authorizer failed', { cause }) };
}
