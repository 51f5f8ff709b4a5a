export { type AdmissionChain, createAdmissionChain } from './admission-chain.ts';
export { AdmissionMetrics } from './admission-metrics.ts';
export type {
  AdmissionOperation,
  AdmissionPlugin,
  AdmissionRequest,
  AdmissionRounds,
  AdmissionVersions,
} from './admission-request.ts';
export { type AdmissionRule, admissionRuleMatches, type RuleTarget } from './admission-rule.ts';
export { type ExplainedExpression, explainedText } from './expressions/explanation.ts';
export { forbiddenByAdmission } from './forbidden-by-admission.ts';
export { createNamespaceLifecycle, type NamespaceLifecycleOptions } from './namespace-lifecycle.ts';
export { createNamespaceProvision, createNamespaceRequirement } from './namespace-provision.ts';
export { createOwnerPermission, type OwnerResource } from './owner-permission.ts';
export {
  evaluatePolicies,
  type PolicyTrial,
  type PolicyVerdict,
} from './policies/evaluate-policies.ts';
export { createMutatingPolicies, type MutationEvaluation } from './policies/mutating-policies.ts';
export { createMutatingTrial, type MutatingTrial } from './policies/mutating-trial.ts';
export type { ParamKindType, PolicyCircumstances } from './policies/policy-circumstances.ts';
export { type PolicyNames, policyNames } from './policies/policy-names.ts';
export type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  Policy,
  PolicyBinding,
  PolicySpec,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from './policies/policy-objects.ts';
export type { FindParameters, ParameterObjects } from './policies/policy-parameters.ts';
export { createPolicyPermission } from './policies/policy-permission.ts';
export {
  type BoundPolicies,
  MutatingPolicies,
  type PolicySource,
  ValidatingPolicies,
} from './policies/policy-source.ts';
export {
  policyTypeWarningsSteps,
  type TypedKind,
  type TypedKinds,
} from './policies/policy-type-warnings.ts';
export { validatingBindingErrorsSteps } from './policies/validate-binding.ts';
export {
  mutatingBindingErrorsSteps,
  mutatingPolicyErrorsSteps,
} from './policies/validate-mutating-policy.ts';
export { validatingPolicyErrorsSteps } from './policies/validate-policy.ts';
export { createValidatingPolicies, type PolicyEvaluation } from './policies/validating-policies.ts';
export { readCertificates } from './webhooks/ca-bundle.ts';
export {
  callWebhook,
  type WebhookCall,
  type WebhookCaller,
  webhookHeaders,
} from './webhooks/call-webhook.ts';
export {
  clientConfigErrorsSteps,
  type ServiceReference,
  type WebhookClientConfig,
} from './webhooks/client-config.ts';
export { createMutatingWebhooks } from './webhooks/mutating-webhooks.ts';
export type { WebhookEnvironment } from './webhooks/review-by-webhook.ts';
export { isNewestReview, readReviewSteps, requireDeclaredType } from './webhooks/review-response.ts';
export {
  reviewVersionErrorsSteps,
  WEBHOOK_REVIEW_VERSIONS,
  webhookConfigurationErrorsSteps,
} from './webhooks/validate-webhook-configuration.ts';
export { createValidatingWebhooks } from './webhooks/validating-webhooks.ts';
export type { ServiceResolver } from './webhooks/webhook-address.ts';
export type { Webhook, WebhookConfiguration } from './webhooks/webhook-configuration.ts';
export type { MatchingEnvironment } from './webhooks/webhook-matching.ts';
export { type ReadyWebhook, WebhookConfigurations, type WebhookSource } from './webhooks/webhook-source.ts';
