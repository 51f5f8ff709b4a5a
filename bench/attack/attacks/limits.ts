import type { Attack, SizedAttack, Target } from '../attack.ts';
import { listed, posted } from '../bodies.ts';
import { createMany } from '../repeated.ts';

const JSON_TYPE = 'application/json';

/** A namespace with what limits its objects; nothing happens if it is there. */
const limited =
  (namespace: string, plural: string, objects: () => readonly object[]) =>
  async (target: Target): Promise<void> => {
    try {
      await createMany(target, '/api/v1/namespaces', [{ metadata: { name: namespace } }]);
    } catch (error) {
      if (String(error).includes(': 409')) return;
      throw error;
    }
    await createMany(target, `/${plural.replace('NAMESPACE', namespace)}`, objects());
  };

const RANGES = 'api/v1/namespaces/NAMESPACE/limitranges';
const QUOTAS = 'api/v1/namespaces/NAMESPACE/resourcequotas';
const BUDGETS = 'apis/policy/v1/namespaces/NAMESPACE/poddisruptionbudgets';

const amounts = (n: number, amount = '1'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`example.com/r${i}`, amount]));

const rangeOf = (item: object): object => ({ metadata: { name: 'a' }, spec: { limits: [item] } });
const quotaOf = (name: string, spec: object): object => ({ metadata: { name }, spec });

/** A pod of n containers in a namespace with limits. */
function pod(
  name: string,
  sends: string,
  n: number,
  spec: (n: number) => string,
  [namespace, plural, objects]: Parameters<typeof limited>,
): SizedAttack {
  const body = (size: number): string => `{"metadata":{"name":"a"},"spec":{${spec(size)}}}`;
  const path = `/api/v1/namespaces/${namespace}/pods?dryRun=All`;
  return posted('operator', path, JSON_TYPE, name, sends, n, body, {
    prepare: limited(namespace, plural, objects),
  });
}

/** A pod in a namespace that restricts pods, and warns of each level. */
function secured(name: string, sends: string, n: number, spec: (n: number) => string): SizedAttack {
  const level = 'pod-security.kubernetes.io';
  const labels = {
    [`${level}/enforce`]: 'privileged',
    [`${level}/warn`]: 'restricted',
    [`${level}/audit`]: 'restricted',
  };
  const body = (size: number): string => `{"metadata":{"name":"a"},"spec":{${spec(size)}}}`;
  return posted('operator', '/api/v1/namespaces/secured/pods?dryRun=All', JSON_TYPE, name, sends, n, body, {
    async prepare(target) {
      await createMany(target, '/api/v1/namespaces', [{ metadata: { name: 'secured', labels } }]).catch(
        () => {},
      );
    },
  });
}

const containers = (n: number): string =>
  `"containers":[${listed(n, (i) => `{"name":"c${i}","image":"a"}`)}]`;

/** Init containers that go on running, each with a resource of its own. */
const sidecars = (n: number): string =>
  `"containers":[{"name":"a","image":"a"}],"initContainers":[${listed(
    n,
    (i) =>
      `{"name":"c${i}","image":"a","restartPolicy":"Always","resources":{"limits":{"example.com/r${i}":"1"}}}`,
  )}]`;

/** The same, and as many others that start beside them. */
const starting = (n: number): string =>
  `"containers":[{"name":"a","image":"a"}],"initContainers":[${listed(n, (i) =>
    i % 2 === 0
      ? `{"name":"c${i}","image":"a","restartPolicy":"Always","resources":{"limits":{"example.com/r${i}":"1"}}}`
      : `{"name":"c${i}","image":"a"}`,
  )}]`;

/** Configuration maps with names of their own, each in the namespace of its size, whose quota limits as many types. */
const inLargeQuota = (size: number): string => `names-${size}`;
const QUOTA_NAMES = 2_250;

async function prepareLargeQuotas(target: Target): Promise<void> {
  for (const size of [1, 2, 4].map((times) => times * QUOTA_NAMES)) {
    const types = Array.from({ length: size }, (_, i) => [`count/r${i}.example.com`, '1']);
    const hard = { 'count/configmaps': '1000000', ...Object.fromEntries(types) };
    await limited(inLargeQuota(size), QUOTAS, () => [quotaOf('a', { hard })])(target);
    const path = `/api/v1/namespaces/${inLargeQuota(size)}/resourcequotas/a`;
    // nothing is admitted before it has been counted
    for (let tries = 0; tries < 200; tries++) {
      const { body } = await target.send({ path, headers: [target.credentials('operator')] });
      if (body.includes('"used"')) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** A small map in a namespace whose quota has n names. */
const underLargeQuota = (name: string, query: string): SizedAttack => ({
  name,
  sends: 'small maps in a namespace whose quota limits thousands of types',
  caller: 'operator',
  n: QUOTA_NAMES,
  prepare: prepareLargeQuotas,
  request: (size) => ({
    method: 'POST',
    path: `/api/v1/namespaces/${inLargeQuota(size)}/configmaps${query}`,
    headers: [`Content-Type: ${JSON_TYPE}`],
    body: '{"metadata":{"generateName":"a"}}',
  }),
});

const ONE_POD = (): readonly object[] => [quotaOf('a', { hard: { pods: '10' } })];

/** What limits the objects of a namespace, times what is in an object. */
export const attacks: readonly Attack[] = [
  pod('minima of containers', 'containers, each with less than thousands of minima', 2_000, containers, [
    'minima',
    RANGES,
    () => [rangeOf({ type: 'Container', min: amounts(5_000) })],
  ]),
  pod('defaults of containers', 'containers, each with thousands of defaults', 2_000, containers, [
    'defaults',
    RANGES,
    () => [rangeOf({ type: 'Container', default: amounts(2_000) })],
  ]),
  pod('many limit ranges', 'containers under a hundred limit ranges', 2_000, containers, [
    'ranges',
    RANGES,
    () =>
      Array.from({ length: 100 }, (_, i) => ({
        metadata: { name: `a${i}` },
        spec: { limits: [{ type: 'Container', max: amounts(100) }] },
      })),
  ]),
  pod('sidecars', 'sidecars, each with a resource of its own, under a quota', 750, sidecars, [
    'sidecars',
    QUOTAS,
    ONE_POD,
  ]),
  pod('sidecars and others', 'init containers that start beside sidecars', 750, starting, [
    'starting',
    QUOTAS,
    ONE_POD,
  ]),
  pod('repeated scopes', 'containers under a quota that repeats its scope', 2_000, containers, [
    'scopes',
    QUOTAS,
    () => [
      quotaOf('a', { hard: { pods: '10' }, scopes: Array.from({ length: 100_000 }, () => 'BestEffort') }),
    ],
  ]),
  pod('many quotas', 'containers under a hundred quotas', 2_000, containers, [
    'quotas',
    QUOTAS,
    () =>
      Array.from({ length: 100 }, (_, i) =>
        quotaOf(`a${i}`, { hard: { pods: '10' }, scopes: ['BestEffort'] }),
      ),
  ]),
  underLargeQuota('a quota of many names', ''),
  underLargeQuota('a quota of many names, tried', '?dryRun=All'),
  secured('containers of no security', 'containers, each of which breaks a rule', 3_000, containers),
  secured(
    'capabilities',
    'capabilities of a container, none of which is allowed',
    40_000,
    (n) =>
      `"containers":[{"name":"a","image":"a","securityContext":{"capabilities":{"add":[${listed(n, (i) => `"C${i}"`)}]}}}]`,
  ),
  secured(
    'volumes of no security',
    'volumes of the node',
    8_000,
    (n) =>
      `"containers":[{"name":"a","image":"a"}],"volumes":[${listed(n, (i) => `{"name":"v${i}","hostPath":{"path":"/a"}}`)}]`,
  ),
  {
    name: 'an eviction beside budgets',
    sends: 'an eviction of a pod that one of the budgets selects, by thousands of terms',
    caller: 'operator',
    n: 1,
    async prepare(target) {
      const budgets = Array.from({ length: 20 }, (_, i) => ({
        metadata: { name: `a${i}` },
        spec: {
          selector: {
            matchExpressions: Array.from({ length: 10_000 }, (_each, j) => ({
              key: `k${j}`,
              operator: j === 9_999 && i > 0 ? 'Exists' : 'DoesNotExist',
            })),
          },
        },
      }));
      await limited('budgets', BUDGETS, () => budgets)(target);
      // the account of pods is created a little later than their namespace
      const pod = { metadata: { name: 'b' }, spec: { containers: [{ name: 'a', image: 'a' }] } };
      const create = () => createMany(target, '/api/v1/namespaces/budgets/pods', [pod]);
      await create().catch(() => new Promise((resolve) => setTimeout(resolve, 1000)).then(create));
      await target.send({
        method: 'PATCH',
        path: '/api/v1/namespaces/budgets/pods/b/status',
        headers: [target.credentials('operator'), 'Content-Type: application/merge-patch+json'],
        body: '{"status":{"phase":"Running"}}',
      });
    },
    request: () => ({
      method: 'POST',
      path: '/api/v1/namespaces/budgets/pods/b/eviction',
      headers: [`Content-Type: ${JSON_TYPE}`],
      body: '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"b"}}',
    }),
    // nobody counts what the budget allows
    statuses: [429],
  },
];
