import type { AuthorizationDecision, AuthorizationRules, Authorizer } from '@ashlar/core';

const ALLOWED: AuthorizationDecision = { decision: 'allow' };
const NOTHING_ALLOWED: AuthorizationDecision = { decision: 'no-opinion', reason: 'Everything is forbidden.' };

const EVERYTHING: AuthorizationRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
  errors: [],
};

/** Mode `AlwaysAllow`: allows every request that no earlier authorizer has denied. */
export const alwaysAllow: Authorizer = { authorize: () => ALLOWED, rules: () => EVERYTHING };

/** Mode `AlwaysDeny`, for tests: it allows nothing, and leaves decisions to others in the chain. */
export const alwaysDeny: Authorizer = {
  authorize: () => NOTHING_ALLOWED,
  rules: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false, errors: [] }),
};
