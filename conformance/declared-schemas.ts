import { builtInResources } from '@ashlar/apis';
import {
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  storageVersionMigrations,
  workloadResources,
} from '@ashlar/apis/workloads';
import { apiVersionOf, kubernetesVocabulary, type Schema } from '@ashlar/core';

/** Every kind that the packages declare, by version and kind. */
export function declaredSchemas(): ReadonlyMap<string, Schema> {
  const schemas = new Map<string, Schema>();
  for (const definition of [
    ...builtInResources(kubernetesVocabulary),
    ...workloadResources(kubernetesVocabulary),
    mutatingAdmissionPolicies(kubernetesVocabulary),
    mutatingAdmissionPolicyBindings(kubernetesVocabulary),
    storageVersionMigrations(kubernetesVocabulary),
  ]) {
    const { group, names, versions, views = [], actions = [] } = { views: [], actions: [], ...definition };
    for (const { name: version, schema } of versions)
      schemas.set(`${apiVersionOf({ group, version })} ${names.kind}`, schema);
    for (const { group: of, version, kind, schema } of [...views, ...actions])
      schemas.set(`${apiVersionOf({ group: of, version })} ${kind}`, schema);
  }
  return schemas;
}
