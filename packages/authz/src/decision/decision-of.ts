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
    const result = authorizer.authorize(attributes, signal);
    return result instanceof Promise ? result.then(checked).catch(failed) : checked(result);
  } catch (cause) {
    return failed(cause);
  }
}

/** @throws TypeError for what is no decision, such as `true` */
function checked(result: AuthorizationDecision): AuthorizationDecision {
  if (typeof result?.decision === 'string') return result;
  throw new TypeError(
    `an authorizer returns { decision: 'allow' }, 'deny' or 'no-opinion', not ${actualValueText(result)}`,
  );
}

function failed(cause: unknown): AuthorizationDecision {
  return { decision: 'no-opinion', error: new Error('an authorizer failed', { cause }) };
}
