export {
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
} from './workloads/admissionregistration/admission-policies.ts';
export {
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
} from './workloads/admissionregistration/mutating-admission-policies.ts';
export {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from './workloads/admissionregistration/webhook-configurations.ts';
export { certificateSigningRequests } from './workloads/certificates/signing-requests.ts';
export type { ClusterComponent, ComponentHealth } from './workloads/core/component-statuses.ts';
export { podBinding } from './workloads/core/pod-binding.ts';
export { podEviction } from './workloads/core/pod-eviction.ts';
export { type ScaleOptions, scaleView } from './workloads/scale-view.ts';
export { storageVersionMigrations } from './workloads/storagemigration/storage-version-migrations.ts';
export { type WorkloadOptions, workloadResources } from './workloads/workload-resources.ts';
