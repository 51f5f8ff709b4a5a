import type { Attack, Caller, SizedAttack } from '../../attack.ts';
import { listed, posted } from '../../bodies.ts';

const JSON_TYPE = 'application/json';

/** A create of a kind of workloads that stores nothing. */
function created(caller: Caller, path: string) {
  return (
    name: string,
    sends: string,
    n: number,
    body: (n: number) => string,
    more: Partial<SizedAttack> = {},
  ): Attack => posted(caller, `${path}?dryRun=All`, JSON_TYPE, name, sends, n, body, more);
}

const inTenant = (version: string, plural: string) =>
  created('tenant', `/${version}/namespaces/tenant/${plural}`);
const pod = inTenant('api/v1', 'pods');
const limitRange = inTenant('api/v1', 'limitranges');
const quota = inTenant('api/v1', 'resourcequotas');
const service = inTenant('api/v1', 'services');
const controller = inTenant('api/v1', 'replicationcontrollers');
const endpoints = inTenant('api/v1', 'endpoints');
const deployment = inTenant('apis/apps/v1', 'deployments');
const policy = inTenant('apis/networking.k8s.io/v1', 'networkpolicies');
const storageClass = created('operator', '/apis/storage.k8s.io/v1/storageclasses');
const webhooks = created('operator', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations');

const METADATA = '"metadata":{"name":"a"}';
const podOf = (...members: readonly string[]): string => `{${METADATA},"spec":{${members.join(',')}}}`;
const containerOf = (...members: readonly string[]): string =>
  `"containers":[{${['"name":"a","image":"a"', ...members].join(',')}}]`;
const templateOf = (labels: string): string =>
  `"template":{"metadata":{"labels":{${labels}}},"spec":{${containerOf()}}}`;
const amounts = (n: number): string => `{${listed(n, (i) => `"example.com/r${i}":"1e0"`)}}`;
const labels = (n: number): string => listed(n, (i) => `"k${i}":"a${i}"`);

/** An attack whose response is a table. */
const shown = (attack: Attack): Attack =>
  'request' in attack
    ? {
        ...attack,
        request(n, target) {
          const { headers = [], ...request } = attack.request(n, target);
          const table = 'Accept: application/json;as=Table;g=meta.k8s.io;v=v1';
          return { ...request, headers: [...headers, table] };
        },
      }
    : attack;

/** Lists and maps of built-in kinds, as long as they may be: of valid items, so that all of them are looked at. */
export const attacks: readonly Attack[] = [
  pod('limits', 'limits of resources by the thousand', 2_500, (n) =>
    podOf(containerOf(`"resources":{"limits":${amounts(n)}}`)),
  ),
  pod('containers with limits', 'containers, each with limits of resources by the hundred', 2_500, (n) =>
    podOf(
      `"containers":[${listed(8, (i) => `{"name":"c${i}","image":"a","resources":{"limits":${amounts(n / 8)}}}`)}]`,
    ),
  ),
  pod('containers', 'containers by the thousand', 6_000, (n) =>
    podOf(`"containers":[${listed(n, (i) => `{"name":"c${i}","image":"a"}`)}]`),
  ),
  // a small body whose defaults are twenty times as large
  pod(
    'containers in a small body',
    'containers that are of names and images alone',
    625,
    (n) => podOf(`"containers":[${listed(n, (i) => `{"name":"c${i}","image":"a"}`)}]`),
    { bounds: { cpuMilliseconds: 300, growth: 3 } },
  ),
  // the same
  pod(
    'volumes of defaults',
    'volumes without content, which are most of all defaults',
    15_000,
    (n) => podOf(`"volumes":[${listed(n, () => '{}')}]`, containerOf()),
    { bounds: { cpuMilliseconds: 500, growth: 3 } },
  ),
  pod('ports of containers', 'containers, each with ports by the hundred', 58, (n) =>
    podOf(
      `"containers":[${listed(n, (i) => `{"name":"c${i}","image":"a","ports":[${listed(500, () => '{"containerPort":1}')}]}`)}]`,
    ),
  ),
  pod('init containers', 'init containers that go on running, by the thousand', 4_000, (n) =>
    podOf(
      `"initContainers":[${listed(n, (i) => `{"name":"c${i}","image":"a","restartPolicy":"Always"}`)}]`,
      containerOf(),
    ),
  ),
  pod('ephemeral volumes', 'volumes by the thousand, each mounted', 4_000, (n) =>
    podOf(
      `"volumes":[${listed(n, (i) => `{"name":"v${i}"}`)}]`,
      containerOf(`"volumeMounts":[${listed(n, (i) => `{"name":"v${i}","mountPath":"/p${i}"}`)}]`),
    ),
  ),
  pod('ports of the node', 'containers by the thousand, each with a port of the node', 4_000, (n) =>
    podOf(
      `"containers":[${listed(n, (i) => `{"name":"c${i}","image":"a","ports":[{"containerPort":80,"hostPort":${i + 1}}]}`)}]`,
    ),
  ),
  pod('variables', 'variables by the thousand, each of a secret', 8_000, (n) =>
    podOf(
      containerOf(
        `"env":[${listed(n, (i) => `{"name":"A${i}","valueFrom":{"secretKeyRef":{"name":"s${i}","key":"k"}}}`)}]`,
      ),
    ),
  ),
  pod('ports of a container', 'ports of one container by the thousand', 6_000, (n) =>
    podOf(containerOf(`"ports":[${listed(n, (i) => `{"name":"p${i}","containerPort":${i + 1}}`)}]`)),
  ),
  pod('claims', 'claims of a pod, and all of them in a container', 3_000, (n) =>
    podOf(
      `"resourceClaims":[${listed(n, (i) => `{"name":"c${i}","resourceClaimName":"c"}`)}]`,
      containerOf(`"resources":{"claims":[${listed(n, (i) => `{"name":"c${i}"}`)}]}`),
    ),
  ),
  pod('files', 'files of a volume by the thousand', 12_000, (n) =>
    podOf(
      `"volumes":[{"name":"v","configMap":{"name":"a","items":[${listed(n, (i) => `{"key":"k${i}","path":"p${i}"}`)}]}}]`,
      containerOf(),
    ),
  ),
  pod(
    'sources without content',
    'sources of a volume by the hundred thousand, each of which is warned of',
    250_000,
    (n) =>
      podOf(`"volumes":[{"name":"v","projected":{"sources":[${listed(n, () => '{}')}]}}]`, containerOf()),
  ),
  pod('a path of slashes', 'a path of a file of slashes', 700_000, (n) =>
    podOf(
      `"volumes":[{"name":"v","configMap":{"name":"a","items":[{"key":"k","path":"a${'/'.repeat(n)}"}]}}]`,
      containerOf(),
    ),
  ),
  limitRange(
    'limit range',
    'maxima by the thousand',
    2_500,
    (n) => `{${METADATA},"spec":{"limits":[{"type":"PersistentVolumeClaim","max":${amounts(n)}}]}}`,
  ),
  quota(
    'scopes',
    'scopes that nobody knows',
    60_000,
    (n) => `{${METADATA},"spec":{"scopes":[${listed(n, (i) => `"a${i}"`)}]}}`,
  ),
  service(
    'ports of a service',
    'ports that each need one of the nodes',
    6_000,
    (n) =>
      `{${METADATA},"spec":{"type":"NodePort","ports":[${listed(n, (i) => `{"name":"p${i}","port":${i + 1}}`)}]}}`,
  ),
  controller(
    'labels of a template',
    'labels that become a selector',
    7_750,
    (n) => `{${METADATA},"spec":{${templateOf(labels(n))}}}`,
  ),
  deployment(
    'containers of a name',
    'containers by the ten thousand, which are most of all defaults',
    30_000,
    (n) =>
      `{${METADATA},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[${listed(n, (i) => `{"name":"c${i}"}`)}]}}}}`,
    { statuses: [413] },
  ),
  deployment(
    'selector',
    'a selector of labels that the template has',
    3_800,
    (n) => `{${METADATA},"spec":{"selector":{"matchLabels":{${labels(n)}}},${templateOf(labels(n))}}}`,
  ),
  endpoints(
    'addresses',
    'addresses by the thousand',
    15_000,
    (n) =>
      `{${METADATA},"subsets":[{"addresses":[${listed(n, (i) => `{"ip":"10.2.${i % 250}.${i % 240}"}`)}],"ports":[{"port":1}]}]}`,
  ),
  shown(
    endpoints(
      'a table of endpoints',
      'addresses, each of which has ports by the thousand, in a table',
      2_500,
      (n) =>
        `{${METADATA},"subsets":[{"addresses":[${listed(4 * n, (i) => `{"ip":"10.2.3.${i % 250}"}`)}],"ports":[${listed(n, (i) => `{"name":"p${i}","port":1}`)}]}]}`,
    ),
  ),
  policy(
    'blocks',
    'blocks of addresses by the thousand',
    15_000,
    (n) =>
      `{${METADATA},"spec":{"podSelector":{},"ingress":[{"from":[${listed(n, (i) => `{"ipBlock":{"cidr":"10.2.${i % 250}.0/24"}}`)}]}]}}`,
  ),
  storageClass(
    'topologies',
    'terms of a topology, each compared with the others',
    7_750,
    (n) =>
      `{${METADATA},"provisioner":"a.b/c","allowedTopologies":[${listed(n, (i) => `{"matchLabelExpressions":[{"key":"a","values":["v${i}"]}]}`)}]}`,
  ),
  storageClass(
    'requirements of a topology',
    'requirements of one term of a topology',
    10_000,
    (n) =>
      `{${METADATA},"provisioner":"a.b/c","allowedTopologies":[{"matchLabelExpressions":[${listed(n, (i) => `{"key":"k${(i * 7919) % n}","values":["v"]}`)}]}]}`,
  ),
  storageClass(
    'values of a topology',
    'values of one requirement of a topology, in no order',
    60_000,
    (n) =>
      `{${METADATA},"provisioner":"a.b/c","allowedTopologies":[{"matchLabelExpressions":[{"key":"a","values":[${listed(n, (i) => `"v${(i * 7919) % n}"`)}]}]}]}`,
  ),
  storageClass(
    'empty topologies',
    'terms of a topology that are all empty',
    60_000,
    (n) => `{${METADATA},"provisioner":"a.b/c","allowedTopologies":[${listed(n, () => '{}')}]}`,
  ),
  webhooks(
    'webhooks',
    'webhooks by the thousand',
    1_900,
    (n) =>
      `{${METADATA},"webhooks":[${listed(n, (i) => `{"name":"w${i}.a.b","clientConfig":{"url":"https://a/"},"sideEffects":"None","admissionReviewVersions":["v1"],"rules":[{"apiGroups":["a"],"apiVersions":["v1"],"operations":["*"],"resources":["a"]}]}`)}]}`,
  ),
];
