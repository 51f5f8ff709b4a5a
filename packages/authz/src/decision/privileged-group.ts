import type { AuthorizationDecision, Authorizer } from '@ashlar/core';
import { rulesOf } from '../rbac/rules-of.ts';

/** Group whose members may do everything. */
export const PRIVILEGED_GROUP = 'system:masters';

const ALLOWED: AuthorizationDecision = { decision: 'allow' };

/**
 * Allows every request of members of `system:masters`, without calling the authorizers (semantics/access#rbac;
 * semantics/access#authorization). No reason is given.
 */
export function withPrivilegedGroup(inner: Authorizer): Authorizer {
  return {
    authorize: (attributes, signal) =>
      attributes.user.groups.includes(PRIVILEGED_GROUP) ? ALLOWED : inner.authorize(attributes, signal),
    rules: (user, namespace) => rulesOf([inner], user, namespace),
  };
}
