import type { ClusterComponent } from '@ashlar/apis/workloads';
import { kubernetesVocabulary, type Vocabulary } from '@ashlar/core';
import type { FeatureGates } from '@ashlar/lifecycle';
import type { ResourceDefinition } from '@ashlar/registry';

export interface ServedKinds {
  /** Whether certificates are signed: certificate signing requests are then served in every vocabulary. */
  readonly signs?: boolean;
  /** Kinds in alpha are there if their gate is on. */
  readonly featureGates?: FeatureGates;
  /** The components whose health a server can ask for. */
  readonly components?: readonly ClusterComponent[];
}

/**
 * Returns the resource types that the command serves in addition to the built-in ones: Kubernetes clients expect workload kinds, as
 * stored objects; every vocabulary has webhooks and policies. They are loaded on demand.
 */
export async function resourcesOf(
  vocabulary: Vocabulary,
  { signs = false, featureGates, components = [] }: ServedKinds = {},
): Promise<readonly ResourceDefinition[]> {
  const workloads = await import('@ashlar/apis/workloads');
  const alpha = [
    ...(featureGates?.isEnabled('MutatingAdmissionPolicy')
      ? [workloads.mutatingAdmissionPolicies, workloads.mutatingAdmissionPolicyBindings]
      : []),
    ...(featureGates?.isEnabled('StorageVersionMigrator') ? [workloads.storageVersionMigrations] : []),
  ].map((type) => type(vocabulary));
  if (vocabulary === kubernetesVocabulary)
    return [...workloads.workloadResources(vocabulary, { components }), ...alpha];
  return [
    workloads.mutatingWebhookConfigurations(vocabulary),
    workloads.validatingAdmissionPolicies(vocabulary),
    workloads.validatingAdmissionPolicyBindings(vocabulary),
    workloads.validatingWebhookConfigurations(vocabulary),
    ...(signs ? [workloads.certificateSigningRequests(vocabulary)] : []),
    ...alpha,
  ];
}
