export { type AdmissionChain, createAdmissionChain } from './lib/admission-chain.ts';
export type { AdmissionOperation, AdmissionPlugin, AdmissionRequest } from './lib/admission-request.ts';
export { type AdmissionRule, admissionRuleMatches, type RuleTarget } from './lib/admission-rule.ts';
export { forbiddenByAdmission } from './lib/forbidden-by-admission.ts';
export { createNamespaceLifecycle, type NamespaceLifecycleOptions } from './lib/namespace-lifecycle.ts';
