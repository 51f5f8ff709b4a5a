import { type ApiObject, kubernetesVocabulary, runAtOnce, type Steps } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { expect, it } from 'vitest';
import { clusterRoles, roles } from '../../rbac/roles.ts';
import { persistentVolumes } from './persistent-volumes.ts';

const COUNT = 20_000;
const many = <T>(item: T, ninth: T): readonly T[] =>
  Array.from({ length: COUNT }, (_, i) => (i === 9 ? ninth : item));

function pausesOf(steps: Steps<unknown>): number {
  let pauses = 0;
  while (!steps.next().done) pauses++;
  return pauses;
}

const volume = {
  capacity: { storage: '1Gi' },
  accessModes: ['ReadWriteOnce'],
  hostPath: { path: '/a' },
  nodeAffinity: { required: { nodeSelectorTerms: many({}, { matchFields: [{ operator: 'In' }] }) } },
};
const selector = { matchLabels: { '-': 'a' } };

it.each<[string, ResourceDefinition, object, number]>([
  ['terms of nodes of a volume', persistentVolumes(kubernetesVocabulary), { spec: volume }, 2],
  [
    'aggregated roles',
    clusterRoles(kubernetesVocabulary),
    { aggregationRule: { clusterRoleSelectors: many({}, selector) } },
    2,
  ],
  [
    'rules of a cluster role',
    clusterRoles(kubernetesVocabulary),
    { rules: many({ verbs: ['get'], nonResourceURLs: ['/'] }, { verbs: ['get'] }) },
    2,
  ],
  [
    'rules of a role',
    roles(kubernetesVocabulary),
    { rules: many({ verbs: ['get'], apiGroups: [''], resources: ['a'] }, { verbs: ['get'] }) },
    2,
  ],
])('%s are validated with pauses, once', (_what, { strategy }, fields, errors) => {
  const object = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, ...fields } as ApiObject;
  const steps = (): Steps<readonly unknown[]> =>
    strategy.validateSteps?.(object) as Steps<readonly unknown[]>;
  expect(pausesOf(steps())).toBeGreaterThan(COUNT / 128);
  expect(pausesOf(steps())).toBe(0);
  expect(runAtOnce(steps())).toHaveLength(errors);
});
