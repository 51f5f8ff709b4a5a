import type { Attack, Target } from '../../attack.ts';
import { DRY_MAPS } from '../../bodies.ts';
import { slownessNow } from '../../calibration.ts';
import { createMany } from '../../repeated.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const ROUNDS = 6;
const LONGEST_TURN = 50;
const OWN_RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };

/** Rules that are for other resources, with as many patterns as fit into a few megabytes. */
const otherRules = (rules: number, resources: number): readonly object[] =>
  Array.from({ length: rules }, (_, i) => ({
    ...OWN_RULE,
    resources: Array.from({ length: resources }, (_each, j) => `r${i}-${j}`),
  }));

const policyOf = (name: string, spec: object): object => ({ metadata: { name }, spec });
const bindingOf = (name: string): object => ({
  metadata: { name },
  spec: { policyName: name, validationActions: ['Deny'] },
});

const webhookOf = (name: string, more: object): object => ({
  name: `${name}.example.com`,
  clientConfig: { url: 'https://localhost:1/' },
  ...{ failurePolicy: 'Ignore', sideEffects: 'None', admissionReviewVersions: ['v1'] },
  ...more,
});

/** Writes small objects, each after something of what decides about it has changed. @returns the longest turn */
async function writeAfterChanges(
  target: Target,
  changed: string,
): Promise<{ turn: number; statuses: Set<number> }> {
  const statuses = new Set<number>();
  let turn = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const { status } = await target.send({
      method: 'PATCH',
      path: changed,
      headers: [target.credentials('operator'), 'Content-Type: application/merge-patch+json'],
      body: JSON.stringify({ metadata: { labels: { round: String(round) } } }),
    });
    statuses.add(status);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await target.measure.begin();
    const written = await target.send({
      method: 'POST',
      path: DRY_MAPS,
      headers: [target.credentials('tenant'), 'Content-Type: application/json'],
      body: '{"metadata":{"name":"a"},"data":{"a":"b"}}',
    });
    statuses.add(written.status);
    turn = Math.min(turn, (await target.measure.end()).longestTurn);
  }
  return { turn, statuses };
}

/** Small writes, before each of which one of the objects that decide about them has changed. */
const changing = (
  name: string,
  sends: string,
  prepare: (target: Target) => Promise<unknown>,
  changed: string,
): Attack => ({
  ...{ name, sends },
  async run(target) {
    await prepare(target);
    const { turn, statuses } = await writeAfterChanges(target, changed);
    const longest = LONGEST_TURN * slownessNow();
    return [
      ...([...statuses].every((status) => status === 200 || status === 201)
        ? []
        : [`answered ${[...statuses].join(', ')}`]),
      ...(turn <= longest ? [] : [`a turn took ${turn.toFixed(0)} ms, at most ${longest.toFixed(0)}`]),
    ];
  },
});

const named = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `p${i}`);

/** What decides about writes, and changes all the time: rules and expressions that are read by the first write after it. */
export const attacks: readonly Attack[] = [
  changing(
    'expressions of a policy',
    'a small object after a policy of a thousand expressions has changed',
    async (target) => {
      const validations = Array.from({ length: 1_200 }, (_, i) => ({
        expression: `object.metadata.name != 'n${i}' && object.metadata.name.size() < ${1_000 + i}`,
      }));
      const matchConstraints = { resourceRules: [OWN_RULE] };
      await createMany(target, `${GROUP}/validatingadmissionpolicies`, [
        policyOf('p0', { matchConstraints, validations }),
      ]);
      await createMany(target, `${GROUP}/validatingadmissionpolicybindings`, [bindingOf('p0')]);
    },
    `${GROUP}/validatingadmissionpolicies/p0`,
  ),
  changing(
    'rules of policies',
    'a small object after one of ten policies with rules of megabytes has changed',
    async (target) => {
      const matchConstraints = { resourceRules: [...otherRules(20, 9_000), OWN_RULE] };
      const validations = [{ expression: 'true' }];
      const specs = named(10).map((name) => policyOf(name, { matchConstraints, validations }));
      await createMany(target, `${GROUP}/validatingadmissionpolicies`, specs);
      await createMany(target, `${GROUP}/validatingadmissionpolicybindings`, named(10).map(bindingOf));
    },
    `${GROUP}/validatingadmissionpolicies/p0`,
  ),
  changing(
    'rules of webhooks',
    'a small object after one of ten configurations of webhooks with rules of megabytes has changed',
    (target) =>
      createMany(
        target,
        `${GROUP}/validatingwebhookconfigurations`,
        named(10).map((name) => ({
          metadata: { name },
          webhooks: [webhookOf('w', { rules: otherRules(20, 9_000) })],
        })),
      ),
    `${GROUP}/validatingwebhookconfigurations/p0`,
  ),
  changing(
    'webhooks by the thousand',
    'a small object after one of thousands of webhooks for other objects has changed',
    (target) =>
      createMany(
        target,
        `${GROUP}/validatingwebhookconfigurations`,
        named(20).map((name) => ({
          metadata: { name },
          webhooks: Array.from({ length: 1_000 }, (_, i) =>
            webhookOf(`w${i}`, { rules: [OWN_RULE], objectSelector: { matchLabels: { a: `v${i}` } } }),
          ),
        })),
      ),
    `${GROUP}/validatingwebhookconfigurations/p0`,
  ),
];
