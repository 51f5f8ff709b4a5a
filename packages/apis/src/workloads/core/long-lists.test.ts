import { type ApiObject, kubernetesVocabulary, runAtOnce, type Steps } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { expect, it } from 'vitest';
import { clusterRoles, roles } from '../../rbac/roles.ts';
import { nodes } from './nodes.ts';
import { persistentVolumes } from './persistent-volumes.ts';
import { pods } from './pods.ts';

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
  nodeAffinity: { required: { nodeSelectorTerms: many<object>({}, { matchFields: [{ operator: 'In' }] }) } },
};
const selector = { matchLabels: { '-': 'a' } };

it.each<[string, ResourceDefinition, object, number]>([
  ['terms of nodes of a volume', persistentVolumes(kubernetesVocabulary), { spec: volume }, 2],
  [
    'aggregated roles',
    clusterRoles(kubernetesVocabulary),
    { aggregationRule: { clusterRoleSelectors: many<object>({}, selector) } },
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

const addresses = Array.from({ length: COUNT }, (_, i) => ({
  type: 'Hostname',
  address: i === 9 ? 'a1' : `a${i}`,
}));
const ips = Array.from({ length: COUNT }, (_, i) => ({ ip: i === 9 ? 'x' : `10.0.${i >> 8}.${i & 255}` }));

it.each<[string, ResourceDefinition, object, number]>([
  ['addresses of a node', nodes(kubernetesVocabulary), { status: { addresses } }, 1],
  ['addresses of a pod', pods(kubernetesVocabulary), { status: { podIPs: ips } }, 3],
])('a status of %s is validated with pauses', (_what, { versions }, fields, errors) => {
  const status = versions[0]?.subresources?.find(({ name }) => name === 'status');
  const object = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, ...fields } as ApiObject;
  const steps = (): Steps<readonly unknown[]> =>
    status?.validateUpdateSteps?.(object, object) as Steps<readonly unknown[]>;
  expect(pausesOf(steps())).toBeGreaterThan(COUNT / 128);
  expect(runAtOnce(steps())).toHaveLength(errors);
});
