// Creates random roles and bindings here and on a reference, and compares reviews:
//   npx tsx --conditions=@ashlar/source conformance/roles.ts --reference https://HOST:PORT --ca ca.crt --token TOKEN
//     [--worlds 200] [--seed 1] [--show 5]
// A world is 4 cluster roles, some of them aggregated, 2 roles, 6 bindings, 10 access reviews and 2 rules
// reviews. All of them are created before any review. Fails if responses differ. The reference needs the
// controller `clusterrole-aggregation`.
import { parseArgs } from 'node:util';
import type { JsonObject, JsonValue } from '@ashlar/core';
import fc from 'fast-check';
import { referenceFlags, startPeers } from './peers.ts';
import { type Answered, ask, comparable, type Peer } from './projects/peer.ts';
import { comparedReview, comparedRules } from './roles/compared.ts';
import { type Caller, ROLES_API, type World, worldOf } from './roles/worlds.ts';

const { values } = parseArgs({
  options: {
    ...referenceFlags,
    worlds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});
const REVIEWS = '/apis/authorization.k8s.io/v1';
const RUN = Date.now().toString(36);
const NAMESPACES = [`roles-${RUN}-a`, `roles-${RUN}-b`] as const;

await using peers = await startPeers(values);
const { ours, theirs, both } = peers;
const PEERS = [ours, theirs];

const worlds = Array.from({ length: Number(values.worlds) }, (_, i): World => {
  const place = { namespaces: NAMESPACES, mark: `w${i}-${RUN}` };
  return fc.sample(worldOf(place), { numRuns: 1, seed: Number(values.seed) * 1_000_003 + i })[0] as World;
});

/** Comparisons of one kind. */
class Tally {
  readonly differences: string[] = [];
  #compared = 0;
  #positive = 0;

  compare(what: JsonValue, here: JsonObject, there: JsonObject, isPositive: boolean): void {
    this.#compared++;
    if (isPositive) this.#positive++;
    const [a, b] = [here, there].map((each) => JSON.stringify(each));
    if (a !== b) this.differences.push(`${JSON.stringify(what)}\n  ours   ${a}\n  theirs ${b}`);
  }

  add(kind: string, positive: string): void {
    const { length } = this.differences;
    console.log(
      `${kind.padEnd(14)} ${this.#compared} compared (${this.#positive} ${positive}), ${length} differ`,
    );
    for (const difference of this.differences.slice(0, Number(values.show))) console.log(`- ${difference}`);
  }
}

async function make(): Promise<Tally> {
  const tally = new Tally();
  for (const { objects } of worlds)
    for (const { path, object } of objects) {
      const [here, there] = await both((peer) => ask(peer, 'POST', path, object));
      tally.compare(object, comparable(here), comparable(there), there.status === 201);
    }
  return tally;
}

/** Waits until aggregated roles have the same rules on both, or for a minute. */
async function collected(): Promise<Tally> {
  const rulesOn = async (peer: Peer): Promise<Map<string, JsonValue>> => {
    const { body } = await ask(peer, 'GET', `${ROLES_API}/clusterroles`);
    const items = body.items as {
      metadata: { name: string };
      rules?: JsonValue;
      aggregationRule?: JsonValue;
    }[];
    const mine = items.filter((item) => item.metadata.name.includes(RUN) && item.aggregationRule);
    return new Map(mine.map(({ metadata: { name }, rules = null }) => [name, rules]));
  };
  for (let second = 0; ; second++) {
    const tally = new Tally();
    const [here, there] = await both(rulesOn);
    for (const name of new Set([...here.keys(), ...there.keys()])) {
      const [a, b] = [here.get(name) ?? null, there.get(name) ?? null];
      tally.compare(name, { rules: a }, { rules: b }, Array.isArray(b));
    }
    if (tally.differences.length === 0 || second === 60) return tally;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** Waits until the last created object is effective on both, of each of the four types. */
async function settled(): Promise<void> {
  const [namespace] = NAMESPACES;
  const last = (kind: string, user: string): JsonObject => ({
    metadata: { name: `last-${RUN}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: `last-${RUN}` },
    subjects: [{ kind: 'User', name: user }],
  });
  const role = {
    metadata: { name: `last-${RUN}` },
    rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
  };
  const inside = `${ROLES_API}/namespaces/${namespace}`;
  for (const peer of PEERS) {
    await ask(peer, 'POST', `${ROLES_API}/clusterroles`, role);
    await ask(peer, 'POST', `${inside}/roles`, role);
    await ask(peer, 'POST', `${ROLES_API}/clusterrolebindings`, last('ClusterRole', 'last-of-cluster'));
    await ask(peer, 'POST', `${inside}/rolebindings`, last('Role', 'last-of-namespace'));
    for (const user of ['last-of-cluster', 'last-of-namespace'])
      while (
        !(await isAllowed(peer, { user, resourceAttributes: { verb: 'get', resource: 'pods', namespace } }))
      )
        await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const review = (peer: Peer, spec: JsonObject): Promise<Answered> =>
  ask(peer, 'POST', `${REVIEWS}/subjectaccessreviews`, { spec });

async function isAllowed(peer: Peer, spec: JsonObject): Promise<boolean> {
  return ((await review(peer, spec)).body.status as JsonObject | undefined)?.allowed === true;
}

async function question(): Promise<Tally> {
  const tally = new Tally();
  for (const { questions } of worlds)
    for (const spec of questions) {
      const [here, there] = await both((peer) => review(peer, spec));
      const isPositive = (there.body.status as JsonObject).allowed === true;
      tally.compare(spec, comparedReview(here), comparedReview(there), isPositive);
    }
  return tally;
}

const ownRules = (peer: Peer, { user, groups, namespace }: Caller): Promise<Answered> =>
  ask(
    peer,
    'POST',
    `${REVIEWS}/selfsubjectrulesreviews`,
    { spec: { namespace } },
    {
      'impersonate-user': user,
      'impersonate-group': [...groups, 'system:authenticated'],
    },
  );

async function listRules(): Promise<Tally> {
  const tally = new Tally();
  for (const { callers } of worlds)
    for (const caller of callers) {
      const [here, there] = await both((peer) => ownRules(peer, caller));
      tally.compare(
        { ...caller, groups: [...caller.groups] },
        comparedRules(here),
        comparedRules(there),
        there.status === 201,
      );
    }
  return tally;
}

async function cleanUp(): Promise<void> {
  for (const namespace of NAMESPACES) await ask(theirs, 'DELETE', `/api/v1/namespaces/${namespace}`);
  for (const plural of ['clusterrolebindings', 'clusterroles']) {
    const { body } = await ask(theirs, 'GET', `${ROLES_API}/${plural}`);
    for (const { metadata } of body.items as { metadata: { name: string } }[])
      if (metadata.name.includes(RUN)) await ask(theirs, 'DELETE', `${ROLES_API}/${plural}/${metadata.name}`);
  }
}

let differing = 0;
try {
  for (const name of NAMESPACES)
    for (const peer of PEERS) await ask(peer, 'POST', '/api/v1/namespaces', { metadata: { name } });
  const made = await make();
  made.add('objects', 'made');
  const filled = await collected();
  filled.add('collections', 'with rules');
  await settled();
  const asked = await question();
  asked.add('questions', 'allowed');
  const listed = await listRules();
  listed.add('lists of rules', 'given');
  differing = [made, filled, asked, listed].reduce((sum, { differences }) => sum + differences.length, 0);
} finally {
  await cleanUp();
}
console.log(`${differing} differ`);
process.exitCode = differing === 0 ? 0 : 1;
