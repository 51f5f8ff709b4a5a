export { type ConfigMap, configMaps } from './core/configmaps.ts';
export {
  type Namespace,
  type NamespaceCondition,
  type NamespaceSpec,
  type NamespaceStatus,
  namespaces,
} from './core/namespaces.ts';
export type { ObjectReference } from './core/object-reference.ts';
export { type Secret, secrets } from './core/secrets.ts';
export { DEFAULT_SERVICE_ACCOUNT, type ServiceAccount, serviceAccounts } from './core/serviceaccounts.ts';
export type { TokenRequestOptions } from './core/token-request.ts';
export type { Event, EventSeries, EventSource } from './events/event.ts';
export { type EventLimit, eventLimitErrors } from './events/event-limits.ts';
export { createEventRateLimit } from './events/event-rate-limit.ts';
export { type EventOptions, events } from './events/events.ts';
export { type NewEvent, newEvents } from './events/events-events.ts';
export { type Lease, type LeaseSpec, leases } from './leases/leases.ts';
export { createNodeRestriction, type NodeRestrictionOptions } from './nodes/node-restriction.ts';
export { type DefaultRoles, defaultRoles } from './rbac/default-roles.ts';
export {
  type ReconciledObjects,
  type ReconciledRoles,
  reconcileDefaultRoles,
} from './rbac/reconcile-default-roles.ts';
export { createRoleEscalation, type RoleEscalationOptions } from './rbac/role-escalation.ts';
export { accessReviews } from './reviews/access-reviews.ts';
export { type IdentityReviewOptions, identityReviews } from './reviews/identity-reviews.ts';
export {
  createServiceAccountAdmission,
  type ServiceAccountAdmissionOptions,
} from './service-accounts/service-account-admission.ts';
export type { FindServiceAccount } from './service-accounts/service-account-look-up.ts';
export { rootCertificateMap } from './service-accounts/token-volume.ts';
export { type BuiltInResourcesOptions, builtInResources } from './types/built-in-resources.ts';
export { type BuiltInType, builtInType } from './types/built-in-type.ts';
export { ageColumn, column, nameColumn, wide } from './types/columns.ts';
export { type CustomRules, customStatus, customStrategy } from './types/custom-strategy.ts';
export {
  defineResource,
  type InputOf,
  type OutputOf,
  type ResourceOptions,
} from './types/define-resource.ts';
export type { ColumnOptions } from './types/host-column.ts';
export { kindSchema } from './types/kind-schema.ts';
export { pluralOf } from './types/plural.ts';
export { type Scale, scaleKind, scaleObject } from './types/scale-object.ts';
export type { CustomObject, NewObjectOf, ObjectOf, TypedResourceDefinition } from './types/typed-resource.ts';
export { firstServiceAddress, serviceNetworkFault } from './workloads/addresses/service-ranges.ts';
export {
  createOptionalWorkloadAdmission,
  createWorkloadAdmission,
} from './workloads/admission/default-plugins.ts';
export { createImagePolicy, type ImagePolicy } from './workloads/admission/image-policy.ts';
export { createPodSecurity } from './workloads/admission/pod-security.ts';
export type { PodSecurityOptions } from './workloads/admission/pod-security-options.ts';
export { createResourceQuota, type QuotaChange } from './workloads/admission/resource-quota.ts';
export type { WorkloadAdmissionOptions } from './workloads/admission/stored-classes.ts';
export {
  type CertificateAdmissionOptions,
  createCertificateAdmission,
} from './workloads/certificates/certificate-admission.ts';
export { createConditionTimes } from './workloads/certificates/condition-times.ts';
export type {
  RequestCondition,
  SigningRequest,
} from './workloads/certificates/signing-request-types.ts';
export {
  type DefaultFlowObjects,
  defaultFlowSchemas,
  defaultPriorityLevels,
} from './workloads/flowcontrol/default-flow-objects.ts';
export { isAbandoned, reconcileFlowObject } from './workloads/flowcontrol/reconcile-flow-object.ts';
export {
  type PodSecurityConfiguration,
  readPodSecurityConfiguration,
} from './workloads/pod-security/pod-security-configuration.ts';
export type { Toleration } from './workloads/pods/placement-types.ts';
export { CountedQuota } from './workloads/quota/counted-quota.ts';
export type { LimitedResource } from './workloads/quota/limited-resources.ts';
export { increase, usageIn } from './workloads/quota/quota-check.ts';
export { quotaUsage, typeOfQuotaName } from './workloads/quota/quota-usage.ts';
export type { QuotaUsage } from './workloads/quota/resource-usage.ts';
export type { ResourceQuota } from './workloads/resources/quota-types.ts';
export type {
  MigrationCondition,
  StorageVersionMigration,
} from './workloads/storagemigration/migration-object.ts';
