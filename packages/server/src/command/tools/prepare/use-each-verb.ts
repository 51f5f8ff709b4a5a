import { groupName, kubernetesVocabulary, metaGroup } from '@ashlar/core';
import type { TrialCall, TrialServer } from './trial-server.ts';

const viewOf = (kind: string, version: string, group: string): string =>
  `application/json;as=${kind};v=${version};g=${group}`;
const PROTOBUF = kubernetesVocabulary.protobufMediaType;
const TABLE = viewOf('Table', 'v1', metaGroup(kubernetesVocabulary));
const METADATA = viewOf('PartialObjectMetadataList', 'v1', metaGroup(kubernetesVocabulary));
const DISCOVERY = viewOf('APIGroupDiscoveryList', 'v2', groupName(kubernetesVocabulary, 'apidiscovery.'));

/** How often an object is created, changed and deleted: code that runs often is compiled with what was learned. */
const ROUNDS = 20;

const MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

const map = (name: string, value: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: 'trial' } },
  data: { value },
});

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'trial' },
  spec: {
    selector: { matchLabels: { app: 'trial' } },
    template: {
      metadata: { labels: { app: 'trial' } },
      spec: { containers: [{ name: 'web', image: 'web:1', resources: { limits: { cpu: '500m' } } }] },
    },
  },
};

/** What clients ask before all else. */
const DISCOVERED: readonly TrialCall[] = ['/api', '/apis'].flatMap((path) => [
  { method: 'GET', path },
  { method: 'GET', path, accept: DISCOVERY },
]);

const DOCUMENTS: readonly TrialCall[] = [
  '/readyz',
  '/version',
  '/api/v1',
  '/openapi/v3',
  '/openapi/v3/api/v1',
].map((path) => ({ method: 'GET', path }));

const READS: readonly TrialCall[] = [
  ...[undefined, PROTOBUF, TABLE, METADATA].map((accept) => ({
    method: 'GET',
    path: `${MAPS}?limit=500&labelSelector=app%3Dtrial`,
    ...(accept !== undefined && { accept }),
  })),
  { method: 'GET', path: `${MAPS}?watch=1&resourceVersion=0`, isStream: true },
  { method: 'GET', path: `${MAPS}?watch=1&resourceVersion=0`, accept: PROTOBUF, isStream: true },
  { method: 'GET', path: `${MAPS}/absent`, isRefused: true },
  { method: 'GET', path: MAPS, as: 'user', isRefused: true },
];

/** Puts one request of each kind to a server, so that the code that answers it is compiled. @throws Error for an unexpected answer */
export async function useEachVerb(server: TrialServer): Promise<void> {
  for (const call of [...DISCOVERED, ...DOCUMENTS]) await server.call(call);
  for (let round = 0; round < ROUNDS; round++) await changeMap(server, `trial-${round}`);
  await server.call({ method: 'POST', path: MAPS, body: map('kept', 'a') });
  for (const call of READS) await server.call(call);
  await server.call({ method: 'POST', path: DEPLOYMENTS, body: deployment });
  await changeByPatches(server, `${DEPLOYMENTS}/trial`, { spec: { replicas: 2 } });
  for (const path of [`${DEPLOYMENTS}/trial`, `${MAPS}/kept`]) await server.call({ method: 'DELETE', path });
}

async function changeMap(server: TrialServer, name: string): Promise<void> {
  const path = `${MAPS}/${name}`;
  await server.call({ method: 'POST', path: MAPS, body: map(name, 'a') });
  await server.call({ method: 'PUT', path, body: map(name, 'b') });
  const encoded = await server.call({ method: 'GET', path, accept: PROTOBUF });
  await server.call({ method: 'PUT', path, accept: PROTOBUF, contentType: PROTOBUF, body: encoded });
  await changeByPatches(server, path, { data: { value: 'c' } });
  await server.call({ method: 'DELETE', path });
}

/** With each of the four kinds of patches. */
async function changeByPatches(server: TrialServer, path: string, change: object): Promise<void> {
  const patch = (contentType: string, body: object, query = ''): Promise<Uint8Array> =>
    server.call({ method: 'PATCH', path: `${path}${query}`, contentType, body });
  await patch('application/merge-patch+json', change);
  await patch('application/strategic-merge-patch+json', { metadata: { annotations: { a: 'b' } } });
  await patch('application/json-patch+json', [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]);
  const isMap = path.startsWith(MAPS);
  const head = isMap ? map('', 'd') : deployment;
  const applied = { ...head, metadata: { name: path.slice(path.lastIndexOf('/') + 1) } };
  await patch('application/apply-patch+yaml', applied, '?fieldManager=trial&force=true');
}
