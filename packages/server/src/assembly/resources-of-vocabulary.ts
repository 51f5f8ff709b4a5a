import { kubernetesVocabulary, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';

/**
 * What the command serves beside the built-in types: clients that speak of clusters expect the kinds that clusters are made of, as
 * stored objects. Loaded when they are served.
 * @param signs whether certificates are signed: then they can be asked for, whatever the vocabulary
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
