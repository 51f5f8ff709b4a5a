export { createApiServiceController } from './api-services/api-service-controller.ts';
export { type ClusterInfoOptions, createClusterInfo } from './bootstrap/cluster-info.ts';
export { createClusterInfoSigner } from './bootstrap/cluster-info-signer.ts';
export { createTokenCleaner } from './bootstrap/token-cleaner.ts';
export { createRequestCleaner } from './certificates/request-cleaner.ts';
export { createFlowSchemaStatusController } from './flow-control/flow-schema-status-controller.ts';
export { createGarbageCollector, type GarbageCollectorOptions } from './garbage/garbage-collector.ts';
export type { OwnedType, Ownership, OwnershipObserver, OwnershipSource } from './garbage/ownership.ts';
export type { Controller, ControllerOptions } from './loop/controller.ts';
export { createNamespaceController } from './namespaces/namespace-controller.ts';
export {
  createPolicyStatusController,
  type PolicyStatusOptions,
} from './policies/policy-status-controller.ts';
export { createRoleAggregationController } from './rbac/role-aggregation-controller.ts';
export {
  createRootCertificatePublisher,
  type RootCertificatePublisherOptions,
} from './service-accounts/root-certificate-publisher.ts';
export { createServiceAccountController } from './service-accounts/service-account-controller.ts';
export {
  type RewriteOptions,
  type RewrittenObjects,
  rewriteObjects,
} from './storage-versions/rewrite-objects.ts';
export { createStorageVersionMigrator } from './storage-versions/storage-version-migrator.ts';
