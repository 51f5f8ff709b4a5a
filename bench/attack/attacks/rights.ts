import type { Attack, SizedAttack, Target } from '../attack.ts';
import { listed, posted } from '../bodies.ts';
import { createMany, forEach } from '../repeated.ts';

const JSON_TYPE = 'application/json';
const GROUP = '/apis/rbac.authorization.k8s.io/v1';
const ROLES = `${GROUP}/namespaces/tenant/roles`;
const BINDINGS = `${GROUP}/namespaces/tenant/rolebindings`;
const REVIEWS = '/apis/authorization.k8s.io/v1';
const USER = { kind: 'ServiceAccount', name: 'user', namespace: 'tenant' };

const clusterRole = (name: string): object => ({
  apiGroup: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  name,
});
const role = (name: string): object => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name });

/** Creates what is not there yet. */
async function ensure(target: Target, path: string, object: object): Promise<boolean> {
  try {
    await createMany(target, path, [object]);
    return true;
  } catch (error) {
    if (String(error).includes('409')) return false;
    throw error;
  }
}

/** The user becomes administrator of the namespace: one who may write roles, but grant only what they have. */
const asAdministrator = async (target: Target): Promise<void> => {
  await ensure(target, BINDINGS, {
    metadata: { name: 'admin' },
    subjects: [USER],
    roleRef: clusterRole('admin'),
  });
};

function written(name: string, sends: string, n: number, rules: (n: number) => string): SizedAttack {
  const body = (size: number): string => `{"metadata":{"name":"a"},"rules":[${rules(size)}]}`;
  return posted('user', `${ROLES}?dryRun=All`, JSON_TYPE, name, sends, n, body, { prepare: asAdministrator });
}

const texts = (n: number, prefix: string): string => listed(n, (i) => `"${prefix}${i}"`);
const resources = (group: string, names: string, verbs = '"get"'): string =>
  `{"apiGroups":[${group}],"resources":[${names}],"verbs":[${verbs}]}`;

/** Rules that an administrator of a namespace has, by name, and is given once more by a role of long lists. */
const named = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: [`n${i}`],
    verbs: ['get'],
  }));

/** Binds a role of many rules to a user who does not need it. */
async function withRules(target: Target): Promise<void> {
  await asAdministrator(target);
  if (await ensure(target, ROLES, { metadata: { name: 'large' }, rules: named(20_000) }))
    await ensure(target, BINDINGS, { metadata: { name: 'large' }, subjects: [USER], roleRef: role('large') });
}

/** A request by somebody to whom one large role is bound again and again, in a namespace of each size. */
function bound(name: string, sends: string, request: (namespace: string) => HostileQuestion): SizedAttack {
  const n = 250;
  return {
    name,
    sends,
    caller: 'user',
    n,
    prepare: async (target) => {
      for (const size of [n, 2 * n, 4 * n]) await bindOften(target, `bound-${size}`, size);
    },
    request: (size) => ({ headers: [`Content-Type: ${JSON_TYPE}`], ...request(`bound-${size}`) }),
  };
}

interface HostileQuestion {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
}

async function bindOften(target: Target, namespace: string, count: number): Promise<void> {
  if (!(await ensure(target, '/api/v1/namespaces', { metadata: { name: namespace } }))) return;
  const home = `${GROUP}/namespaces/${namespace}`;
  const names = Array.from({ length: 20_000 }, (_, i) => `n${i}`);
  const rule = { apiGroups: [''], resources: ['configmaps'], resourceNames: names, verbs: ['get'] };
  await ensure(target, `${home}/roles`, { metadata: { name: 'large' }, rules: [rule] });
  const bindings = Array.from({ length: count }, (_, i) => ({
    metadata: { name: `b${i}` },
    subjects: [USER],
    roleRef: role('large'),
  }));
  await createMany(target, `${home}/rolebindings`, bindings);
}

/** Bindings to groups without end. */
async function bindGroups(target: Target): Promise<void> {
  await asAdministrator(target);
  await forEach(10, async (i) => {
    const subjects = Array.from({ length: 20_000 }, (_, j) => ({ kind: 'Group', name: `g${j}` }));
    await ensure(target, BINDINGS, {
      metadata: { name: `groups${i}` },
      subjects,
      roleRef: clusterRole('view'),
    });
  });
}

/** Rights: what roles, rules, subjects and requests multiply to. */
export const attacks: readonly Attack[] = [
  written(
    'a role that multiplies',
    'groups × resources × verbs × names',
    100,
    (n) =>
      `{"apiGroups":[${texts(n, 'g')}],"resources":[${texts(n, 'r')}],"verbs":[${texts(n, 'v')}],"resourceNames":[${texts(n, 'n')}]}`,
  ),
  written('missing rules', 'rules that the caller does not have', 12_000, (n) =>
    listed(n, (i) => resources(`"g${i}"`, '"r"')),
  ),
  written('missing verbs', 'verbs that the caller does not have', 2_000, (n) =>
    resources('""', '"pods"', texts(n, 'v')),
  ),
  written('long missing names', 'one long group and many resources', 500, (n) =>
    resources(`"${'g'.repeat(400 * n)}"`, texts(n, 'r')),
  ),
  written('covered rules', 'rules that the caller has', 10_000, (n) =>
    listed(
      n,
      (i) => `{"apiGroups":[""],"resources":["configmaps"],"resourceNames":["n${i}"],"verbs":["get"]}`,
    ),
  ),
  {
    ...written('missing rules beside many', 'rules, each compared with 20,000 of the caller', 10_000, (n) =>
      listed(n, (i) => resources(`"g${i}"`, '"r"')),
    ),
    prepare: withRules,
  },
  bound(
    'a request under many bindings',
    'a request by a user to whom one role is bound 1,000 times',
    (namespace) => ({
      path: `/api/v1/namespaces/${namespace}/configmaps/a`,
    }),
  ),
  bound('a rules review under many bindings', 'a review of the rules of such a user', () => ({
    method: 'POST',
    path: `${REVIEWS}/selfsubjectrulesreviews`,
    body: '{"spec":{"namespace":"bound-1000"}}',
  })),
  posted(
    'user',
    `${REVIEWS}/namespaces/tenant/localsubjectaccessreviews`,
    JSON_TYPE,
    'a review of groups under many subjects',
    'groups, each of which ten bindings name',
    20_000,
    (n) =>
      `{"metadata":{"namespace":"tenant"},"spec":{"user":"a","groups":[${listed(n, (i) => `"g${n - i}"`)}],"resourceAttributes":{"verb":"get","resource":"secrets","namespace":"tenant"}}}`,
    { prepare: bindGroups },
  ),
  posted(
    'tenant',
    ROLES,
    JSON_TYPE,
    'a new role of many names',
    'names of resources, in a new role that is followed',
    50_000,
    (n) =>
      `{"metadata":{"generateName":"names-"},"rules":[{"apiGroups":[""],"resources":["configmaps"],"verbs":["get"],"resourceNames":[${texts(n, 'n')}]}]}`,
  ),
  {
    name: 'a stored binding',
    sends: 'subjects without end, in a binding that is followed',
    caller: 'tenant',
    n: 7_000,
    request: (n) => ({
      method: 'PUT',
      path: `${BINDINGS}/stored`,
      headers: [`Content-Type: ${JSON_TYPE}`],
      body: `{"metadata":{"name":"stored"},"subjects":[${listed(n, (i) => `{"kind":"Group","name":"h${i}"}`)}],"roleRef":${JSON.stringify(clusterRole('view'))}}`,
    }),
  },
  posted(
    'user',
    `${REVIEWS}/selfsubjectaccessreviews`,
    JSON_TYPE,
    'a review of requirements',
    'requirements of a selector without end',
    12_000,
    (n) =>
      `{"spec":{"resourceAttributes":{"verb":"list","resource":"pods","labelSelector":{"requirements":[${listed(n, (i) => `{"key":"k${i}","operator":"In","values":["a","b"]}`)}]}}}}`,
  ),
  posted(
    'user',
    `${REVIEWS}/selfsubjectaccessreviews`,
    JSON_TYPE,
    'a review of wrong requirements',
    'requirements that each are an error',
    12_000,
    (n) =>
      `{"spec":{"resourceAttributes":{"verb":"list","resource":"pods","fieldSelector":{"requirements":[${listed(n, (i) => `{"key":"k ${i}","operator":"Gt","values":["a","b"]}`)}]}}}}`,
  ),
  posted(
    'user',
    `${REVIEWS}/selfsubjectaccessreviews`,
    JSON_TYPE,
    'a review of a selector',
    'a selector as a text',
    150_000,
    (n) =>
      `{"spec":{"resourceAttributes":{"verb":"list","resource":"pods","labelSelector":{"rawSelector":"${listed(n, (i) => `k${i}`)}"}}}}`,
  ),
];
