export { createApiServiceController } from './lib/api-service-controller.ts';
export { type ClusterInfoOptions, createClusterInfo } from './lib/bootstrap/cluster-info.ts';
export { createClusterInfoSigner } from './lib/bootstrap/cluster-info-signer.ts';
export { createTokenCleaner } from './lib/bootstrap/token-cleaner.ts';
export { createRequestCleaner } from './lib/certificates/request-cleaner.ts';
export type { Controller, ControllerOptions } from './lib/controller.ts';
export { createNamespaceController } from './lib/namespace-controller.ts';
export { createRoleAggregationController } from './lib/role-aggregation-controller.ts';
export {
  createRootCertificatePublisher,
  type RootCertificatePublisherOptions,
} from './lib/root-certificate-publisher.ts';
export { createServiceAccountController } from './lib/service-account-controller.ts';
