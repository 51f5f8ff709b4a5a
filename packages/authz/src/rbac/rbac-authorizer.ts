import { type Ambient, type Authorizer, runInSlices } from '@ashlar/core';
import { listRules } from './listed-rules.ts';
import type { RbacPolicy } from './rbac-policy.ts';
import { decideAtOnce, decideInSteps } from './rule-search.ts';

/**
 * Mode `RBAC`: allows requests that a role of the user grants. It never denies; a missing role is part of the
 * reason (semantics/access#rbac).
 * @param ambient with it, decisions about users with tens of thousands of rules are made with pauses
 * @example
 * const policy = new RbacPolicy(vocabulary);
 * policy.setClusterRole({ …, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }] });
 * policy.setClusterRoleBinding(binding);
 * createRbacAuthorizer(policy).authorize(attributes); // { decision: 'allow', reason: 'RBAC: allowed by …' }
 */
export function createRbacAuthorizer(
  policy: RbacPolicy,
  ambient?: Pick<Ambient, 'clock' | 'turns'>,
): Authorizer {
  return {
    authorize(attributes) {
      return decideAtOnce(policy, attributes) ?? runInSlices(decideInSteps(policy, attributes), ambient);
    },
    rules: (user, namespace) => listRules(policy, user, namespace),
  };
}
