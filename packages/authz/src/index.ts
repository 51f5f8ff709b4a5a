export { type AggregatedRole, aggregatedRules } from './lib/aggregated-rules.ts';
export { alwaysAllow, alwaysDeny } from './lib/always.ts';
export { forbiddenError, forbiddenMessage, toHtmlEntities } from './lib/forbidden.ts';
export { type PolicyRule, type RuleSubject, ruleAllows, ruleCovers } from './lib/policy-rule.ts';
export { policyRuleText } from './lib/policy-rule-text.ts';
export { escalationError } from './lib/privilege-escalation.ts';
export { PRIVILEGED_GROUP, withPrivilegedGroup } from './lib/privileged-group.ts';
export { createRbacAuthorizer } from './lib/rbac-authorizer.ts';
export type { Role, RoleBinding, RoleReference, RoleSubject } from './lib/rbac-objects.ts';
export { type HeldRule, type HeldRules, RbacPolicy, type RuleVisitor } from './lib/rbac-policy.ts';
export { compactRules, uncoveredRules } from './lib/rule-coverage.ts';
export {
  parseServiceAccountName,
  type ServiceAccountName,
  serviceAccountUserName,
} from './lib/service-account-name.ts';
export { createUnionAuthorizer } from './lib/union.ts';
