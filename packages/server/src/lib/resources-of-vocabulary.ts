import { kubernetesVocabulary, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';

/**
 * What the command serves beside the built-in types: clients that speak of clusters expect the kinds that clusters are made of, as
 * stored objects. Loaded when they are served.
 */
export async function resourcesOf(vocabulary: Vocabulary): Promise<readonly ResourceDefinition[]> {
  if (vocabulary !== kubernetesVocabulary) return [];
  const { workloadResources } = await import('@ashlar/apis/workloads');
  return workloadResources(vocabulary);
}
