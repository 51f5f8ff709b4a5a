import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type AuthorizationRules,
  type Authorizer,
  joinedMessages,
  type UserInfo,
} from '@ashlar/core';
import { type PolicyRule, ruleAllows } from './policy-rule.ts';
import { bindingText, type RbacPolicy, type UserRule } from './rbac-policy.ts';

const NO_OPINION: AuthorizationDecision = { decision: 'no-opinion' };

/**
 * Mode `RBAC`: allows requests that a role of the user grants. It never denies; a missing role is part of the
 * reason (semantics/access#rbac).
 * @example
 * const policy = new RbacPolicy(vocabulary);
 * policy.setClusterRole({ …, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }] });
 * policy.setClusterRoleBinding(binding);
 * createRbacAuthorizer(policy).authorize(attributes); // { decision: 'allow', reason: 'RBAC: allowed by …' }
 */
export function createRbacAuthorizer(policy: RbacPolicy): Authorizer {
  return {
    authorize: (attributes) => decide(policy, attributes),
    rules: (user, namespace) => listRules(policy, user, namespace),
  };
}

function decide(policy: RbacPolicy, attributes: AuthorizationAttributes): AuthorizationDecision {
  const errors: Error[] = [];
  let found: UserRule | undefined;
  const namespace = attributes.isResourceRequest ? attributes.namespace : '';
  policy.visit(attributes.user, namespace, {
    rule(userRule) {
      if (!ruleAllows(userRule.rule, attributes)) return false;
      found = userRule;
      return true;
    },
    error: (error) => void errors.push(error),
  });
  if (found) {
    return { decision: 'allow', reason: `RBAC: allowed by ${bindingText(found.binding, attributes.user)}` };
  }
  return errors.length === 0
    ? NO_OPINION
    : { decision: 'no-opinion', reason: `RBAC: ${joinedMessages(errors)}` };
}

function listRules(policy: RbacPolicy, user: UserInfo, namespace: string): AuthorizationRules {
  const { rules, errors } = policy.rulesFor(user, namespace);
  const lists = (rule: PolicyRule, part: 'apiGroups' | 'resources' | 'resourceNames' | 'nonResourceURLs') =>
    rule[part]?.length ? { [part]: rule[part] } : {};
  return {
    resourceRules: rules
      .filter(({ resources }) => resources?.length)
      .map((rule) => ({
        verbs: rule.verbs ?? [],
        ...lists(rule, 'apiGroups'),
        ...lists(rule, 'resources'),
        ...lists(rule, 'resourceNames'),
      })),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs?.length)
      .map((rule) => ({ verbs: rule.verbs ?? [], ...lists(rule, 'nonResourceURLs') })),
    // missing roles grant nothing: the list is complete without them
    incomplete: false,
    errors: errors.length > 0 ? [joinedMessages(errors)] : [],
  };
}
