import type { AuthorizationDecision, Authorizer } from '@ashlar/core';

const ALLOWED: AuthorizationDecision = { decision: 'allow' };
const NOTHING_ALLOWED: AuthorizationDecision = { decision: 'no-opinion', reason: 'Everything is forbidden.' };

/** Mode `AlwaysAllow`: whoever it is, and whatever no authorizer before it has denied. */
export const alwaysAllow: Authorizer = { authorize: () => ALLOWED };

/** Mode `AlwaysDeny`, for tests: it allows nothing, and leaves it to others in the chain to do so. */
export const alwaysDeny: Authorizer = { authorize: () => NOTHING_ALLOWED };
