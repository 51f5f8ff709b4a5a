import type { Attack, Caller, Target } from '../attack.ts';
import { bodyRequest, listed } from '../bodies.ts';

const JSON_TYPE = 'application/json';
const MERGE_TYPE = 'application/merge-patch+json';
const TENANT = '/api/v1/namespaces/tenant';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/tenant/deployments';
const SIGNING = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

const labels = { app: 'a' };
const spec = { containers: [{ name: 'a', image: 'a' }] };
const budget = (i: number): object => ({
  metadata: { name: `b${i}` },
  spec: { minAvailable: 1, selector: { matchLabels: { app: `a${i}` } } },
});

/** What the subresources belong to; it exists if an earlier attack created it. */
async function prepare(target: Target): Promise<void> {
  const created: readonly (readonly [string, object])[] = [
    ['/api/v1/nodes', { metadata: { name: 'node' } }],
    [`${TENANT}/pods`, { metadata: { name: 'pod', labels }, spec }],
    [
      DEPLOYMENTS,
      {
        metadata: { name: 'deployment' },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
      },
    ],
    ...Array.from(
      { length: 100 },
      (_, i) => ['/apis/policy/v1/namespaces/tenant/poddisruptionbudgets', budget(i)] as const,
    ),
  ];
  for (const [path, object] of created) {
    const headers = [target.credentials('operator'), `Content-Type: ${JSON_TYPE}`];
    const { status, body } = await target.send({
      method: 'POST',
      path,
      headers,
      body: JSON.stringify(object),
    });
    if (status === 409) return;
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${body.slice(0, 500)}`);
  }
}

function written(
  method: string,
  path: string,
  type: string,
  caller: Caller = 'tenant',
  query: string = '?dryRun=All',
) {
  return (name: string, sends: string, n: number, body: (n: number) => string): Attack => ({
    ...{ name, sends, caller, n, prepare },
    request: (size) => bodyRequest(method, `${path}${query}`, type, body(size)),
  });
}

const scale = written('PUT', `${DEPLOYMENTS}/deployment/scale`, JSON_TYPE);
const mergedScale = written('PATCH', `${DEPLOYMENTS}/deployment/scale`, MERGE_TYPE);
const status = written('PATCH', `${DEPLOYMENTS}/deployment/status`, MERGE_TYPE);
const podStatus = written('PATCH', `${TENANT}/pods/pod/status`, MERGE_TYPE);
const nodeStatus = written('PATCH', '/api/v1/nodes/node/status', MERGE_TYPE, 'operator');
const eviction = written('POST', `${TENANT}/pods/pod/eviction`, JSON_TYPE);
// other dry runs in the query than in the options are refused before these are read through
const evictionByOptions = written('POST', `${TENANT}/pods/pod/eviction`, JSON_TYPE, 'tenant', '');
const binding = written('POST', `${TENANT}/pods/pod/binding`, JSON_TYPE);
const token = written('POST', `${TENANT}/serviceaccounts/user/token`, JSON_TYPE);
const containers = written(
  'PATCH',
  `${TENANT}/pods/pod/ephemeralcontainers`,
  'application/strategic-merge-patch+json',
);
const finalize = written('PUT', '/api/v1/namespaces/tenant/finalize', JSON_TYPE, 'operator');
const approval = written('PUT', `${SIGNING}/nobody/approval`, JSON_TYPE, 'operator');

const condition = (i: number): string =>
  `{"type":"T${i}","status":"True","lastTransitionTime":"2024-01-01T00:00:00Z"}`;
const annotations = (n: number): string => `{${listed(n, (i) => `"a.b/k${i}":"v"`)}}`;

/** Bodies of subresources: as long as they may be, of valid items. */
export const attacks: readonly Attack[] = [
  scale(
    'annotations of a scale',
    'a scale with annotations by the thousand',
    7_500,
    (n) =>
      `{"metadata":{"name":"deployment","namespace":"tenant","annotations":${annotations(n)}},"spec":{"replicas":1}}`,
  ),
  scale(
    'a selector of a scale',
    'a scale with a selector of megabytes',
    700_000,
    (n) =>
      `{"metadata":{"name":"deployment","namespace":"tenant"},"spec":{"replicas":1},"status":{"replicas":1,"selector":"${'a,'.repeat(n / 2)}"}}`,
  ),
  mergedScale(
    'a merged scale',
    'a merge of members that a scale has not',
    7_500,
    (n) => `{"spec":{${listed(n, (i) => `"k${i}":1`)}}}`,
  ),
  status(
    'conditions of a deployment',
    'conditions by the thousand',
    6_000,
    (n) => `{"status":{"conditions":[${listed(n, condition)}]}}`,
  ),
  podStatus(
    'conditions of a pod',
    'conditions by the thousand',
    6_000,
    (n) => `{"status":{"conditions":[${listed(n, condition)}]}}`,
  ),
  podStatus(
    'statuses of containers',
    'statuses of containers by the thousand',
    6_000,
    (n) =>
      `{"status":{"containerStatuses":[${listed(n, (i) => `{"name":"c${i}","image":"a","imageID":"a","ready":true,"restartCount":1}`)}]}}`,
  ),
  podStatus(
    'addresses of a pod',
    'addresses by the thousand',
    12_000,
    (n) => `{"status":{"podIPs":[${listed(n, (i) => `{"ip":"10.${i % 250}.${(i >> 8) % 250}.1"}`)}]}}`,
  ),
  nodeStatus(
    'images of a node',
    'images by the thousand',
    10_000,
    (n) => `{"status":{"images":[${listed(n, (i) => `{"names":["a${i}"],"sizeBytes":1}`)}]}}`,
  ),
  nodeStatus(
    'addresses of a node',
    'addresses by the ten thousand',
    15_000,
    (n) => `{"status":{"addresses":[${listed(n, (i) => `{"type":"Hostname","address":"a${i}"}`)}]}}`,
  ),
  nodeStatus(
    'volumes of a node',
    'attached volumes by the thousand',
    10_000,
    (n) => `{"status":{"volumesAttached":[${listed(n, (i) => `{"name":"v${i}","devicePath":"d"}`)}]}}`,
  ),
  nodeStatus(
    'handlers of a node',
    'runtime handlers by the thousand',
    10_000,
    (n) => `{"status":{"runtimeHandlers":[${listed(n, (i) => `{"name":"h${i}"}`)}]}}`,
  ),
  eviction(
    'an eviction',
    'an eviction with annotations, of a pod among a hundred budgets',
    7_500,
    (n) =>
      `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"pod","annotations":${annotations(n)}},"deleteOptions":{"dryRun":["All"]}}`,
  ),
  evictionByOptions(
    'dry runs of an eviction',
    'delete options with values without end',
    50_000,
    (n) =>
      `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"pod"},"deleteOptions":{"dryRun":[${listed(n, () => '"All"')}]}}`,
  ),
  binding(
    'annotations of a binding',
    'a binding whose annotations the pod gets',
    7_500,
    (n) =>
      `{"metadata":{"name":"pod","annotations":${annotations(n)}},"target":{"kind":"Node","name":"node"}}`,
  ),
  binding(
    'a target of a binding',
    'a node with a name of megabytes',
    700_000,
    (n) => `{"metadata":{"name":"pod"},"target":{"kind":"Node","name":"${'a.'.repeat(n / 2)}"}}`,
  ),
  token(
    'audiences of a token',
    'audiences by the thousand',
    15_000,
    (n) => `{"spec":{"audiences":[${listed(n, (i) => `"a${i}"`)}]}}`,
  ),
  token(
    'one audience of a token',
    'an audience of megabytes',
    700_000,
    (n) => `{"spec":{"audiences":["${'a'.repeat(n)}"]}}`,
  ),
  token(
    'a bound object of a token',
    'an object with a name of megabytes',
    700_000,
    (n) => `{"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"${'a'.repeat(n)}"}}}`,
  ),
  containers(
    'ephemeral containers',
    'containers that are added, by the thousand',
    6_000,
    (n) => `{"spec":{"ephemeralContainers":[${listed(n, (i) => `{"name":"e${i}","image":"a"}`)}]}}`,
  ),
  finalize(
    'finalizers of a namespace',
    'finalizers by the thousand',
    15_000,
    (n) => `{"metadata":{"name":"tenant"},"spec":{"finalizers":[${listed(n, (i) => `"a.b/f${i}"`)}]}}`,
  ),
  approval(
    'an approval of nobody',
    'conditions of a request that does not exist',
    6_000,
    (n) => `{"metadata":{"name":"nobody"},"status":{"conditions":[${listed(n, condition)}]}}`,
  ),
];
