import type { Attack, Caller, SizedAttack } from '../attack.ts';
import { DEFINITIONS, definitionOf, listed, posted } from '../bodies.ts';

const METADATA = '"metadata":{"name":"a"}';

/** A create that stores nothing. */
const created =
  (caller: Caller, path: string) =>
  (name: string, sends: string, n: number, body: (n: number) => string): SizedAttack =>
    posted(
      caller,
      `${path}?dryRun=All`,
      'application/json',
      name,
      sends,
      n,
      (size) => `{${METADATA},${body(size)}}`,
    );

const pod = created('tenant', '/api/v1/namespaces/tenant/pods');
const claim = created('tenant', '/api/v1/namespaces/tenant/persistentvolumeclaims');
const limitRange = created('tenant', '/api/v1/namespaces/tenant/limitranges');
const node = created('operator', '/apis/storage.k8s.io/v1/csinodes');
const runtime = created('operator', '/apis/node.k8s.io/v1/runtimeclasses');
const webhooks = created('operator', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations');
const policy = created('operator', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies');
const ingress = created('tenant', '/apis/networking.k8s.io/v1/namespaces/tenant/ingresses');
const volume = created('operator', '/api/v1/persistentvolumes');
const cronJob = created('tenant', '/apis/batch/v1/namespaces/tenant/cronjobs');
const role = created('operator', '/apis/rbac.authorization.k8s.io/v1/clusterroles');
const definition = created('operator', DEFINITIONS);

/** A request that is answered in another format, with the object that would be stored. */
const answeredAs = (type: string, attack: SizedAttack): Attack => ({
  ...attack,
  request(n, target) {
    const request = attack.request(n, target);
    return { ...request, headers: [...(request.headers ?? []), `Accept: ${type}`] };
  },
});

/** A definition whose schema allows many values. */
const withValues = (name: string, sends: string): SizedAttack =>
  posted('operator', `${DEFINITIONS}?dryRun=All`, 'application/json', name, sends, 60_000, (n) =>
    JSON.stringify(definitionOf('values', { type: 'integer', enum: Array.from({ length: n }, (_, i) => i) })),
  );

const names = (n: number): string => `[${listed(n, (i) => `"a${i}"`)}]`;
const podOf = (members: string): string => `"spec":{"containers":[{"name":"a","image":"a"}],${members}}`;
const apart = (terms: string): string =>
  podOf(`"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[${terms}]}}`);

/** A text of about as many bytes as a body may have, of repeated pieces. */
const text = (piece: string, n: number): string => `"${piece.repeat(n)}"`;

/** One field of a built-in kind, as long as it may be: fields that a sweep over all of them (`bench/attack/fields.ts`) has found. */
export const attacks: readonly Attack[] = [
  claim(
    'wrong access modes',
    'access modes that are none, by the hundred thousand',
    60_000,
    (n) => `"spec":{"accessModes":${names(n)}}`,
  ),
  limitRange(
    'an amount that is a list',
    'a list where an amount should be',
    60_000,
    (n) => `"spec":{"limits":[{"type":"Pod","max":{"cpu":${names(n)}}}]}`,
  ),
  definition(
    'schemas that are texts',
    'texts in a list of schemas, each of which is of a wrong type',
    60_000,
    (n) => `"spec":{"versions":[{"schema":{"openAPIV3Schema":{"items":${names(n)}}}}]}`,
  ),
  answeredAs(
    'application/vnd.kubernetes.protobuf',
    withValues('values in Protobuf', 'a definition of values by the hundred thousand, answered in Protobuf'),
  ),
  answeredAs('application/cbor', withValues('values in CBOR', 'the same, answered in CBOR')),
  volume(
    'terms of nodes of a volume',
    'terms of nodes by the hundred thousand',
    45_000,
    (n) =>
      `"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/a"},"nodeAffinity":{"required":{"nodeSelectorTerms":[${listed(n, () => '{}')}]}}}`,
  ),
  ingress('paths of an ingress', 'paths of one rule, all valid', 7_000, (n) => {
    const backend = '{"service":{"name":"a","port":{"number":80}}}';
    const paths = listed(n, (i) => `{"path":"/a${i}","pathType":"Exact","backend":${backend}}`);
    return `"spec":{"rules":[{"http":{"paths":[${paths}]}}]}`;
  }),
  ingress(
    'hosts of an ingress',
    'hosts of one certificate',
    60_000,
    (n) => `"spec":{"defaultBackend":{"resource":{"kind":"A","name":"a"}},"tls":[{"hosts":${names(n)}}]}`,
  ),
  webhooks('segments of a path', 'a path of a webhook of valid segments, by the million', 360_000, (n) => {
    const service = `{"name":"a","namespace":"b","path":${text('/a', n)}}`;
    return `"webhooks":[{"name":"a.b.io","sideEffects":"None","admissionReviewVersions":["v1"],"clientConfig":{"service":${service}}}]`;
  }),
  webhooks('spaces of a URL', 'a URL of a webhook in which each character is escaped', 725_000, (n) => {
    const client = `{"url":${text(' ', n)}}`;
    return `"webhooks":[{"name":"a.b.io","sideEffects":"None","admissionReviewVersions":["v1"],"clientConfig":${client}}]`;
  }),
  definition('steps of a selectable field', 'a path of a million steps that leads nowhere', 360_000, (n) => {
    const version = `"name":"v1","schema":{"openAPIV3Schema":{"type":"object"}}`;
    return `"spec":{"versions":[{${version},"selectableFields":[{"jsonPath":${text('.a', n)}}]}]}`;
  }),
  cronJob('a schedule of many minutes', 'a schedule whose minutes are a million numbers', 360_000, (n) => {
    const template = '{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a"}]}}';
    return `"spec":{"schedule":"${'1,'.repeat(n)}1 * * * *","jobTemplate":{"spec":{"template":${template}}}}`;
  }),
  cronJob('a schedule of many words', 'a schedule of a million fields', 360_000, (n) => {
    const template = '{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a"}]}}';
    return `"spec":{"schedule":${text('a ', n)},"jobTemplate":{"spec":{"template":${template}}}}`;
  }),
  pod('pairs of a registry', 'hosts and ports of a volume, by the hundred thousand', 180_000, (n) =>
    podOf(`"volumes":[{"name":"v","quobyte":{"volume":"a","registry":${text('a:1,', n)}}}]`),
  ),
  pod('slashes of a sysctl', 'a name of a million slashes', 725_000, (n) =>
    podOf(`"securityContext":{"sysctls":[{"name":${text('/', n)},"value":"1"}]}`),
  ),
  pod(
    'newlines in a name',
    'a name of a container of a million newlines, which is a key of an owned field',
    360_000,
    (n) => podOf(`"initContainers":[{"name":${text('\\n', n)},"image":"a"}]`),
  ),
  role(
    'aggregated roles',
    'selectors of roles that are aggregated, by the hundred thousand',
    60_000,
    (n) => `"aggregationRule":{"clusterRoleSelectors":[${listed(n, () => '{}')}]}`,
  ),
  pod('terms of anti-affinity', 'terms that keep pods apart, by the hundred thousand', 30_000, (n) =>
    apart(listed(n, (i) => `{"topologyKey":"a${i}"}`)),
  ),
  pod(
    'keys of anti-affinity',
    'keys of labels, each looked for in the expressions of a selector',
    10_000,
    (n) =>
      apart(
        `{"topologyKey":"a","matchLabelKeys":[${listed(n, (i) => `"k${i}"`)}],"labelSelector":{"matchExpressions":[${listed(n, (i) => `{"key":"e${i}","operator":"Exists"}`)}]}}`,
      ),
  ),
  pod('search domains', 'domains in which a pod looks for names', 60_000, (n) =>
    podOf(`"dnsConfig":{"searches":${names(n)}}`),
  ),
  pod('files of labels', 'files with fields of a pod that are not there', 30_000, (n) =>
    podOf(`"volumes":[{"name":"v","downwardAPI":{"items":[${listed(n, (i) => `{"path":"a${i}"}`)}]}}]`),
  ),
  node(
    'topology keys',
    'topology keys of a driver',
    60_000,
    (n) => `"spec":{"drivers":[{"name":"a.io","nodeID":"a","topologyKeys":${names(n)}}]}`,
  ),
  runtime(
    'tolerations of a runtime class',
    'tolerations by the ten thousand',
    15_000,
    (n) =>
      `"handler":"a","scheduling":{"tolerations":[${listed(n, (i) => `{"key":"a${i}","operator":"Exists"}`)}]}`,
  ),
  webhooks(
    'versions of reviews',
    'versions of reviews of one webhook',
    60_000,
    (n) =>
      `"webhooks":[{"name":"a.b.io","sideEffects":"None","clientConfig":{"url":"https://a.io"},"admissionReviewVersions":${names(n)}}]`,
  ),
  policy(
    'validations',
    'validations of a policy, more than it may have',
    30_000,
    (n) => `"spec":{"validations":[${listed(n, (i) => `{"expression":"a${i}"}`)}]}`,
  ),
];
