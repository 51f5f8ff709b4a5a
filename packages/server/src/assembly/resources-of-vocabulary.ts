import { kubernetesVocabulary, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';

/**
 * Returns the resource types that the command serves in addition to the built-in ones: Kubernetes clients expect workload kinds, as
 * stored objects; every vocabulary has webhooks. They are loaded on demand.
 * @param signs whether certificates are signed: certificate signing requests are then served in every vocabulary
 */
export async function resourcesOf(
  vocabulary: Vocabulary,
  signs: boolean = false,
): Promise<readonly ResourceDefinition[]> {
  const workloads = await import('@ashlar/apis/workloads');
  if (vocabulary === kubernetesVocabulary) return workloads.workloadResources(vocabulary);
  return [
    workloads.mutatingWebhookConfigurations(vocabulary),
    workloads.validatingWebhookConfigurations(vocabulary),
    ...(signs ? [workloads.certificateSigningRequests(vocabulary)] : []),
  ];
}
