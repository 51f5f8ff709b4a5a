import { kubernetesVocabulary, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';

/**
 * Returns the resource types that the command serves in addition to the built-in ones: Kubernetes clients expect workload kinds, as
 * stored objects. They are loaded on demand.
 * @param signs whether certificates are signed: certificate signing requests are then served in every vocabulary
 */
export async function resourcesOf(
  vocabulary: Vocabulary,
  signs: boolean = false,
): Promise<readonly ResourceDefinition[]> {
  if (vocabulary !== kubernetesVocabulary && !signs) return [];
  const { certificateSigningRequests, workloadResources } = await import('@ashlar/apis/workloads');
  return vocabulary === kubernetesVocabulary
    ? workloadResources(vocabulary)
    : [certificateSigningRequests(vocabulary)];
}
