export {
  type ApiServiceControllerOptions,
  createApiServiceController,
} from './lib/api-service-controller.ts';
export type { Controller } from './lib/controller.ts';
export { createNamespaceController, type NamespaceControllerOptions } from './lib/namespace-controller.ts';
export {
  createRoleAggregationController,
  type RoleAggregationControllerOptions,
} from './lib/role-aggregation-controller.ts';
