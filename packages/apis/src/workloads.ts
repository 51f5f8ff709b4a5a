export { podBinding } from './lib/workloads/core/pod-binding.ts';
export { podEviction } from './lib/workloads/core/pod-eviction.ts';
export { type ScaleOptions, scaleView } from './lib/workloads/scale-view.ts';
export type {
  ActionEnvironment,
  ActionObjects,
  ActionSubresource,
  ConnectSubresource,
  GracefulDeletion,
  RowCondition,
  SubresourceKind,
  ViewSubresource,
  WorkloadResource,
} from './lib/workloads/workload-resource.ts';
export { workloadResources } from './lib/workloads/workload-resources.ts';
