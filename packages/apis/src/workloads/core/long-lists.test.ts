import { type ApiObject, kubernetesVocabulary, runAtOnce, type Steps } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { expect, it } from 'vitest';
import { clusterRoles, roles } from '../../rbac/roles.ts';
import { ingresses } from '../networking/ingresses.ts';
import { nodes } from './nodes.ts';
import { persistentVolumes } from './persistent-volumes.ts';
import { pods } from './pods.ts';

const COUNT = 20_000;
const many = <T>(item: T, ninth: T): readonly T[] =>
  Array.from({ length: COUNT }, (_, i) => (i === 9 ? ninth : item));

const pausesOf = (steps: Steps<unknown>): number => [...steps].length;

const volume = {
  capacity: { storage: '1Gi' },
  accessModes: ['ReadWriteOnce'],
  hostPath: { path: '/a' },
  nodeAffinity: { required: { nodeSelectorTerms: many<object>({}, { matchFields: [{ operator: 'In' }] }) } },
};
const backend = { service: { name: 'a', port: { number: 80 } } };
const path = { path: '/', pathType: 'Exact', backend };
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

it.each<[string, object]>([
  ['rules', { rules: many<object>({}, { host: '1.1.1.1' }) }],
  ['paths', { rules: [{ http: { paths: many<object>(path, { ...path, path: 'a' }) } }] }],
  ['certificates', { defaultBackend: backend, tls: many<object>({}, { secretName: '-' }) }],
  ['hosts', { defaultBackend: backend, tls: [{ hosts: many('a', '-') }] }],
])('%s of an ingress are validated with pauses', (_what, spec) => {
  const { strategy } = ingresses(kubernetesVocabulary);
  const object = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, spec } as ApiObject;
  const stepsOf = (): Steps<readonly unknown[]> =>
    strategy.validateSteps?.(object, undefined) as Steps<readonly unknown[]>;
  expect(pausesOf(stepsOf())).toBeGreaterThan(COUNT / 128);
  expect(runAtOnce(stepsOf())).toHaveLength(1);
});

it('a secret of an ingress may have the wrong name that one had before', () => {
  const { strategy } = ingresses(kubernetesVocabulary);
  const ingress = (secretName: string): ApiObject =>
    ({ metadata: {}, spec: { defaultBackend: backend, tls: [{ secretName }] } }) as unknown as ApiObject;
  const errorsOf = (now: string, before: string): number =>
    runAtOnce(strategy.validateUpdateSteps?.(ingress(now), ingress(before)) as Steps<readonly unknown[]>)
      .length;
  expect([errorsOf('-', 'a'), errorsOf('-', '_'), errorsOf('a', '_')]).toEqual([1, 0, 0]);
});
