import type { Socket } from 'node:net';
import type { Attack, Scenario, Target } from '../attack.ts';
import { DEFINITIONS, definitionOf } from '../bodies.ts';
import { slownessNow } from '../calibration.ts';
import { exchange, openSocket, requestBytes } from '../raw-request.ts';

/** Objects of one batch; as many are created in each. */
const BATCH = 150;
const BATCHES = 8;
/** How long a batch is followed after its last response: what follows from it is done then. */
const SETTLING_MILLISECONDS = 1_000;
/** How much more the last batch may cost than the first ones. */
const GROWTH = 2.5;
/** Batches that cost less show no growth. */
const SMALLEST_MILLISECONDS = 300;
const LONGEST_TURN = 50;

/** Creates one object of a batch after the other. @throws Error if one is refused */
async function createBatch(
  target: Target,
  socket: Socket,
  path: string,
  objects: readonly object[],
): Promise<void> {
  const headers = [target.credentials('operator'), 'Content-Type: application/json'];
  for (const object of objects) {
    const bytes = requestBytes({ method: 'POST', path, headers, body: JSON.stringify(object) });
    const { status, body } = await exchange(socket, bytes, 15_000);
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${body.slice(0, 300)}`);
  }
}

/** Objects that are created one after the other, each of which must cost as much as the first ones. */
function accumulating(
  name: string,
  sends: string,
  path: string,
  objectAt: (i: number) => object,
  more: Partial<Scenario> = {},
): Scenario {
  return {
    ...{ name, sends },
    async run(target) {
      const socket = await openSocket(target.port);
      const costs: number[] = [];
      let longest = 0;
      for (let batch = 0; batch < BATCHES; batch++) {
        await target.measure.begin();
        const objects = Array.from({ length: BATCH }, (_, i) => objectAt(batch * BATCH + i));
        await createBatch(target, socket, path, objects);
        await new Promise((resolve) => setTimeout(resolve, SETTLING_MILLISECONDS));
        const usage = await target.measure.end();
        costs.push(usage.cpuMilliseconds);
        longest = Math.max(longest, usage.longestTurn);
      }
      socket.destroy();
      return faultsOf(costs, longest);
    },
    ...more,
  };
}

function faultsOf(costs: readonly number[], longest: number): readonly string[] {
  const slowness = slownessNow();
  // the first batch compiles the code of all
  const first = Math.max(Math.min(...costs.slice(1, 3)), SMALLEST_MILLISECONDS * slowness);
  const last = Math.min(...costs.slice(-2));
  const all = costs.map((cost) => cost.toFixed(0)).join(', ');
  return [
    ...(last > GROWTH * first ? [`batches of ${BATCH} cost ${all} ms`] : []),
    ...(longest > LONGEST_TURN * slowness
      ? [`a turn took ${longest.toFixed(0)} ms, at most ${(LONGEST_TURN * slowness).toFixed(0)} (${all})`]
      : []),
  ];
}

const named = (i: number): { readonly metadata: { readonly name: string } } => ({
  metadata: { name: `a${i}` },
});

const subjects = Array.from({ length: 20 }, (_, i) => ({ kind: 'User', user: { name: `u${i}` } }));
const rules = Array.from({ length: 20 }, (_, i) => ({
  subjects,
  resourceRules: [{ verbs: ['*'], apiGroups: [`g${i}`], resources: ['*'], namespaces: ['*'] }],
}));

export const attacks: readonly Attack[] = [
  accumulating('definitions', 'definitions of one group, one after the other', DEFINITIONS, (i) =>
    definitionOf(`kinds${i}`, { type: 'object', properties: { a: { type: 'string' } } }),
  ),
  accumulating('definitions of groups', 'definitions of a group each', DEFINITIONS, (i) => {
    const definition = definitionOf('kinds', { type: 'object' }) as { spec: object };
    const group = `g${i}.example.com`;
    return { ...definition, metadata: { name: `kinds.${group}` }, spec: { ...definition.spec, group } };
  }),
  accumulating(
    'API services',
    'API services of a group each, whose backend is not there',
    '/apis/apiregistration.k8s.io/v1/apiservices',
    (i) => {
      const group = `g${i}.example.com`;
      const service = { name: 'nothing', namespace: 'tenant' };
      return {
        metadata: { name: `v1.${group}` },
        spec: {
          ...{ group, version: 'v1', service, insecureSkipTLSVerify: true },
          ...{ groupPriorityMinimum: 100, versionPriority: 100 },
        },
      };
    },
  ),
  accumulating(
    'flow schemas',
    'flow schemas with hundreds of subjects and rules each',
    '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    (i) => ({
      ...named(i),
      spec: { priorityLevelConfiguration: { name: 'nothing' }, matchingPrecedence: 1_000 + i, rules },
    }),
  ),
  accumulating(
    'services',
    'services with two node ports each, until most of the range is taken',
    '/api/v1/namespaces/tenant/services',
    (i) => ({
      ...named(i),
      spec: {
        type: 'NodePort',
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 2 },
        ],
      },
    }),
    // the default range has fewer addresses
    { flags: ['--service-cluster-ip-range', '10.96.0.0/16'] },
  ),
  accumulating('namespaces', 'namespaces, one after the other', '/api/v1/namespaces', named),
  accumulating(
    'webhooks',
    'configurations of webhooks with rules of other types, one after the other',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    (i) => ({
      ...named(i),
      webhooks: Array.from({ length: 10 }, (_, j) => ({
        name: `w${j}.example.com`,
        clientConfig: { url: 'https://localhost:1/' },
        rules: [{ apiGroups: [`g${i}`], apiVersions: ['v1'], operations: ['CREATE'], resources: ['r'] }],
        ...{ sideEffects: 'None', admissionReviewVersions: ['v1'] },
      })),
    }),
  ),
  accumulating(
    'policies',
    'admission policies and their expressions, one after the other',
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    (i) => ({
      ...named(i),
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [`g${i}`], apiVersions: ['v1'], operations: ['CREATE'], resources: ['r'] },
          ],
        },
        validations: [{ expression: `object.metadata.name != "n${i}"` }],
      },
    }),
  ),
  accumulating(
    'cluster roles',
    'roles that are aggregated into the one of administrators, one after the other',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    (i) => ({
      metadata: { name: `a${i}`, labels: { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' } },
      rules: [{ apiGroups: [`g${i}`], resources: ['r'], verbs: ['get'] }],
    }),
  ),
];
