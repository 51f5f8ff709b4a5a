export { type BuiltInResourcesOptions, builtInResources } from './lib/built-in-resources.ts';
export { type BuiltInType, builtInStrategy, builtInType } from './lib/built-in-type.ts';
export { ageColumn, column, defaultColumns, nameColumn, wide } from './lib/columns.ts';
export { type ConfigMap, configMaps } from './lib/configmaps.ts';
export { type CustomRules, customStatus, customStrategy } from './lib/custom-strategy.ts';
export {
  type ColumnOptions,
  defineResource,
  type InputOf,
  type OutputOf,
  type ResourceOptions,
  type ZodSchema,
} from './lib/define-resource.ts';
export { type Event, type EventOptions, type EventSeries, type EventSource, events } from './lib/events.ts';
export { type NewEvent, newEvents } from './lib/events-events.ts';
export { kindSchema } from './lib/kind-schema.ts';
export { type Lease, type LeaseSpec, leases } from './lib/leases.ts';
export {
  type Namespace,
  type NamespaceCondition,
  type NamespaceSpec,
  type NamespaceStatus,
  namespaces,
} from './lib/namespaces.ts';
export { createNodeRestriction, type NodeRestrictionOptions } from './lib/nodes/node-restriction.ts';
export type { ObjectReference } from './lib/object-reference.ts';
export { type DefaultRoles, defaultRoles } from './lib/rbac/default-roles.ts';
export {
  type ReconciledObjects,
  type ReconciledRoles,
  reconcileDefaultRoles,
} from './lib/rbac/reconcile-default-roles.ts';
export { createRoleEscalation, type RoleEscalationOptions } from './lib/rbac/role-escalation.ts';
export { accessReviews } from './lib/reviews/access-reviews.ts';
export { type IdentityReviewOptions, identityReviews } from './lib/reviews/identity-reviews.ts';
export { completeSecret, type Secret, secrets } from './lib/secrets.ts';
export {
  createServiceAccountAdmission,
  type ServiceAccountAdmissionOptions,
} from './lib/service-accounts/service-account-admission.ts';
export type { FindServiceAccount } from './lib/service-accounts/service-account-look-up.ts';
export { rootCertificateMap } from './lib/service-accounts/token-volume.ts';
export { DEFAULT_SERVICE_ACCOUNT, type ServiceAccount, serviceAccounts } from './lib/serviceaccounts.ts';
export { type TokenRequestOptions, tokenRequest } from './lib/token-request.ts';
export type { CustomObject, NewObjectOf, ObjectOf, TypedResourceDefinition } from './lib/typed-resource.ts';
export {
  type CertificateAdmissionOptions,
  createCertificateAdmission,
} from './lib/workloads/certificates/certificate-admission.ts';
export type {
  RequestCondition,
  SigningRequest,
} from './lib/workloads/certificates/signing-request-types.ts';
export { scaleSchema } from './lib/workloads/shapes/scale.ts';
