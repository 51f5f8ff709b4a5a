import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  actualValueText,
} from '@ashlar/core';

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
    return answer instanceof Promise ? answer.then(checked).catch(failed) : checked(answer);
  } catch (cause) {
    return failed(cause);
  }
}

/** @throws TypeError for what is no decision, such as `true` */
function checked(answer: AuthorizationDecision): AuthorizationDecision {
  if (typeof answer?.decision === 'string') return answer;
  throw new TypeError(
    `an authorizer returns { decision: 'allow' }, 'deny' or 'no-opinion', not ${actualValueText(answer)}`,
  );
}

function failed(cause: unknown): AuthorizationDecision {
  return { decision: 'no-opinion', error: new Error('an authorizer failed', { cause }) };
}
