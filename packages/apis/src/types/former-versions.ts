/** Versions of its own group in which a kind was once served, by kind: those that release 1.32 can still read. */
const OWN_GROUP: Readonly<Record<string, readonly string[]>> = {
  APIService: ['v1beta1'],
  CertificateSigningRequest: ['v1beta1'],
  ClusterRole: ['v1alpha1', 'v1beta1'],
  ClusterRoleBinding: ['v1alpha1', 'v1beta1'],
  ControllerRevision: ['v1beta1', 'v1beta2'],
  CronJob: ['v1beta1'],
  CSIDriver: ['v1beta1'],
  CSINode: ['v1beta1'],
  CSIStorageCapacity: ['v1alpha1', 'v1beta1'],
  CustomResourceDefinition: ['v1beta1'],
  DaemonSet: ['v1beta2'],
  Deployment: ['v1beta1', 'v1beta2'],
  EndpointSlice: ['v1beta1'],
  FlowSchema: ['v1beta1', 'v1beta2', 'v1beta3'],
  HorizontalPodAutoscaler: ['v2beta1', 'v2beta2'],
  Ingress: ['v1beta1'],
  IngressClass: ['v1beta1'],
  Lease: ['v1beta1'],
  LocalSubjectAccessReview: ['v1beta1'],
  MutatingWebhookConfiguration: ['v1beta1'],
  PodDisruptionBudget: ['v1beta1'],
  PriorityClass: ['v1alpha1', 'v1beta1'],
  PriorityLevelConfiguration: ['v1beta1', 'v1beta2', 'v1beta3'],
  ReplicaSet: ['v1beta2'],
  Role: ['v1alpha1', 'v1beta1'],
  RoleBinding: ['v1alpha1', 'v1beta1'],
  RuntimeClass: ['v1alpha1', 'v1beta1'],
  SelfSubjectAccessReview: ['v1beta1'],
  SelfSubjectReview: ['v1alpha1', 'v1beta1'],
  SelfSubjectRulesReview: ['v1beta1'],
  StatefulSet: ['v1beta1', 'v1beta2'],
  StorageClass: ['v1beta1'],
  SubjectAccessReview: ['v1beta1'],
  TokenReview: ['v1beta1'],
  ValidatingAdmissionPolicy: ['v1alpha1', 'v1beta1'],
  ValidatingAdmissionPolicyBinding: ['v1alpha1', 'v1beta1'],
  ValidatingWebhookConfiguration: ['v1beta1'],
  VolumeAttachment: ['v1alpha1', 'v1beta1'],
};

/** Kinds that were once served in `extensions/v1beta1`. */
const EXTENSIONS: ReadonlySet<string> = new Set([
  'DaemonSet',
  'Deployment',
  'Ingress',
  'NetworkPolicy',
  'ReplicaSet',
]);

/**
 * Returns the values of `apiVersion` that a built-in kind has been served with, besides those that it is served with now.
 *
 * @example formerVersions('apps', 'Deployment') // ['apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1']
 */
export function formerVersions(group: string, kind: string): readonly string[] {
  const own = (OWN_GROUP[kind] ?? []).map((version) => `${group}/${version}`);
  return EXTENSIONS.has(kind) ? [...own, 'extensions/v1beta1'] : own;
}
