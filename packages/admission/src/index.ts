export { type AdmissionChain, createAdmissionChain } from './admission-chain.ts';
export type { AdmissionOperation, AdmissionPlugin, AdmissionRequest } from './admission-request.ts';
export { type AdmissionRule, admissionRuleMatches, type RuleTarget } from './admission-rule.ts';
export { forbiddenByAdmission } from './forbidden-by-admission.ts';
export { createNamespaceLifecycle, type NamespaceLifecycleOptions } from './namespace-lifecycle.ts';
