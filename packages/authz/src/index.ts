export { createAbacAuthorizer } from './lib/abac-authorizer.ts';
export { type AbacPolicy, type AbacPolicyFile, parseAbacPolicyFile } from './lib/abac-policy-file.ts';
export { type AggregatedRole, aggregatedRules } from './lib/aggregated-rules.ts';
export { alwaysAllow, alwaysDeny } from './lib/always.ts';
export {
  type AuthorizationConfiguration,
  type AuthorizerConfiguration,
  InvalidAuthorizationError,
  type WebhookConfiguration,
} from './lib/authorization-configuration.ts';
export { withAuthorizationMetrics } from './lib/authorization-metrics.ts';
export {
  type AuthorizerMetrics,
  createAuthorizerMetrics,
  type WebhookResult,
  withDecisionMetrics,
} from './lib/authorizer-metrics.ts';
export { decisionOf } from './lib/decision-of.ts';
export { type ExplainedRule, explainRbac, type RbacExplanation } from './lib/explain-rbac.ts';
export { forbiddenError, forbiddenMessage, toHtmlEntities } from './lib/forbidden.ts';
export { createNodeAuthorizer, type NodeAuthorizerOptions } from './lib/node-authorizer.ts';
export { NodeGraph } from './lib/node-graph.ts';
export { nodeNameOf } from './lib/node-identity.ts';
export { type Pod, type PodReference, podReferences, type VolumeSource } from './lib/node-references.ts';
export {
  type ParseAuthorizationOptions,
  parseAuthorizationConfiguration,
} from './lib/parse-authorization-configuration.ts';
export { type PolicyRule, type RuleSubject, ruleAllows, ruleCovers } from './lib/policy-rule.ts';
export { policyRuleText } from './lib/policy-rule-text.ts';
export { escalationError } from './lib/privilege-escalation.ts';
export { PRIVILEGED_GROUP, withPrivilegedGroup } from './lib/privileged-group.ts';
export { createRbacAuthorizer } from './lib/rbac-authorizer.ts';
export type { Role, RoleBinding, RoleReference, RoleSubject } from './lib/rbac-objects.ts';
export { type HeldRule, type HeldRules, RbacPolicy, type RuleVisitor } from './lib/rbac-policy.ts';
export { compactRules, uncoveredRules } from './lib/rule-coverage.ts';
export { rulesOf } from './lib/rules-of.ts';
export { createUnionAuthorizer } from './lib/union.ts';
export { createWebhookAuthorizer, type WebhookAuthorizerOptions } from './lib/webhook-authorizer.ts';
