import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '@ashlar/core';
import { joinedErrors } from './joined-errors.ts';
import { ruleAllows } from './policy-rule.ts';
import { bindingText, type HeldRule, type RbacPolicy } from './rbac-policy.ts';

const NO_OPINION: AuthorizationDecision = { decision: 'no-opinion' };

/**
 * Mode `RBAC`: allows what a role grants that is bound to the user. It never denies; a missing role is told in the reason
 * (specification 2, "RBAC objects"; semantics K8).
 * @example
 * const policy = new RbacPolicy(vocabulary);
 * policy.setClusterRole({ …, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }] });
 * policy.setClusterRoleBinding(binding);
 * createRbacAuthorizer(policy).authorize(attributes); // { decision: 'allow', reason: 'RBAC: allowed by …' }
 */
export function createRbacAuthorizer(policy: RbacPolicy): Authorizer {
  return { authorize: (attributes) => decide(policy, attributes) };
}

function decide(policy: RbacPolicy, attributes: AuthorizationAttributes): AuthorizationDecision {
  const errors: Error[] = [];
  let found: HeldRule | undefined;
  const namespace = attributes.isResourceRequest ? attributes.namespace : '';
  policy.visit(attributes.user, namespace, {
    rule(held) {
      if (!ruleAllows(held.rule, attributes)) return false;
      found = held;
      return true;
    },
    error: (error) => void errors.push(error),
  });
  if (found) {
    return { decision: 'allow', reason: `RBAC: allowed by ${bindingText(found.binding, attributes.user)}` };
  }
  return errors.length === 0
    ? NO_OPINION
    : { decision: 'no-opinion', reason: `RBAC: ${joinedErrors(errors)}` };
}
