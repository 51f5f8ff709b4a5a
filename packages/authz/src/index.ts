export { createAbacAuthorizer } from './abac/abac-authorizer.ts';
export type { AbacPolicy } from './abac/abac-policy.ts';
export { type AbacPolicyFile, parseAbacPolicyFile } from './abac/abac-policy-file.ts';
export {
  type AuthorizationConfiguration,
  type AuthorizerConfiguration,
  InvalidAuthorizationError,
  type WebhookConfiguration,
} from './configuration/authorization-configuration.ts';
export {
  type ParseAuthorizationOptions,
  parseAuthorizationConfiguration,
} from './configuration/parse-authorization-configuration.ts';
export { alwaysAllow, alwaysDeny } from './decision/always.ts';
export { withAuthorizationMetrics } from './decision/authorization-metrics.ts';
export {
  type AuthorizerMetrics,
  createAuthorizerMetrics,
  type WebhookResult,
  withDecisionMetrics,
} from './decision/authorizer-metrics.ts';
export { decisionOf } from './decision/decision-of.ts';
export { forbiddenError, forbiddenMessage, toHtmlEntities } from './decision/forbidden.ts';
export { PRIVILEGED_GROUP, withPrivilegedGroup } from './decision/privileged-group.ts';
export { createUnionAuthorizer } from './decision/union.ts';
export { createNodeAuthorizer, type NodeAuthorizerOptions } from './nodes/node-authorizer.ts';
export { NodeGraph } from './nodes/node-graph.ts';
export { nodeNameOf } from './nodes/node-identity.ts';
export { type Pod, type PodReference, podReferences, type VolumeSource } from './nodes/node-references.ts';
export { type AggregatedRole, aggregatedRules, aggregationSteps } from './rbac/aggregated-rules.ts';
export { type ExplainedRule, explainRbac, type RbacExplanation } from './rbac/explain-rbac.ts';
export { type PolicyRule, type RuleSubject, ruleAllows, ruleCovers } from './rbac/policy-rule.ts';
export { policyRuleText } from './rbac/policy-rule-text.ts';
export { escalationError, escalationSteps, type RulesGrant } from './rbac/privilege-escalation.ts';
export { createRbacAuthorizer } from './rbac/rbac-authorizer.ts';
export type { Role, RoleBinding, RoleReference, RoleSubject } from './rbac/rbac-objects.ts';
export { type HeldRoles, RbacPolicy, type RuleVisitor, type UserRule } from './rbac/rbac-policy.ts';
export { compactRules, uncoveredRules } from './rbac/rule-coverage.ts';
export { rulesOf } from './rbac/rules-of.ts';
export { createWebhookAuthorizer, type WebhookAuthorizerOptions } from './webhook/webhook-authorizer.ts';
