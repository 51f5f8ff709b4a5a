export { certificateSigningRequests } from './lib/workloads/certificates/signing-requests.ts';
export { podBinding } from './lib/workloads/core/pod-binding.ts';
export { podEviction } from './lib/workloads/core/pod-eviction.ts';
export { type ScaleOptions, scaleView } from './lib/workloads/scale-view.ts';
export { workloadResources } from './lib/workloads/workload-resources.ts';
