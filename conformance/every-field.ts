// Asks a reference and a server of this project about each field of each built-in kind, with each of some two dozen small values, as a dry run:
//   npx tsx --conditions=@ashlar/source conformance/every-field.ts --reference https://HOST:PORT --ca ca.crt --tester FOLDER
//     [--token admin-token] [--by create|replace|apply|merge|strategic] [--of PATTERN of fields] [--show 40] [-- WORD of kinds …]
//     [--texts]: with texts of many forms instead, of the fields that are texts
//     [--pairs NUMBER of questions a field --seed 1]: about pairs of fields instead, drawn from a seed
// FOLDER has the `compare.mjs` of a differential tester. A hundred thousand questions take some minutes. The reference should be a fresh one: objects
// are stored by `replace` and `apply`, and stay. Fails if answers differ that no ruling explains; some do, for reasons in docs/semantics/differences.md.
import { parseArgs } from 'node:util';
import type { JsonObject } from '@ashlar/core';
import { type Field, fieldsOf } from '../bench/attack/fields/fields-of.ts';
import { type Members, seedOf } from '../bench/attack/fields/seeds.ts';
import { type ServedKind, servedKinds } from '../bench/attack/fields/served-kinds.ts';
import { Choices } from './codecs/choices.ts';
import { compared, Differences, loadTester } from './every-field/differences.ts';
import { pairsOf } from './every-field/pairs.ts';
import { peerTarget } from './every-field/peer-target.ts';
import {
  type Question,
  questionsOf,
  RESOURCE_VERSION,
  textsOf,
  WAYS,
  type Way,
} from './every-field/questions.ts';
import { referenceFlags, startPeers } from './peers.ts';
import { ask } from './projects/peer.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...referenceFlags,
    show: { type: 'string', default: '40' },
    tester: { type: 'string' },
    by: { type: 'string', default: 'create' },
    of: { type: 'string', default: '' },
    texts: { type: 'boolean', default: false },
    pairs: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});
/** Requests to one server at once. */
const AT_ONCE = 10;
/** Stands for the response to a request at which the reference breaks down: it closes the connection. */
const BROKEN = { status: 0, warnings: [], body: {} };

const way = WAYS[values.by];
if (!way || !values.tester)
  throw new Error(`--tester is needed, and --by one of ${Object.keys(WAYS).join()}`);
const pattern = new RegExp(values.of);
const choices = new Choices(Number(values.seed));
const differences = new Differences(await loadTester(values.tester));
await using peers = await startPeers(values, { controllers: ['namespace', 'garbagecollector'] });
const { ours, theirs, both } = peers;

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenant' } };
await both((peer) => ask(peer, 'POST', '/api/v1/namespaces', namespace));
/** The same field of several kinds is asked about in the first of them. */
const places = new Set<string>();
const target = peerTarget(theirs);
for (const kind of await servedKinds(target)) {
  if (positionals.length > 0 && !positionals.some((word) => kind.name.includes(word))) continue;
  const seed = await seedOf(target, kind);
  const versions = way.isStored ? await storedVersions(kind, seed) : [];
  if (!versions) console.log(`${kind.name} is not stored`);
  else await askAbout(kind, way.isStored ? versioned(seed) : seed, versions);
}
for (const kind of differences.report().slice(0, Number(values.show))) console.log(`\n${kind}`);
console.log(
  `\n${differences.asked} asked, ${differences.found} differ (${differences.report().length} kinds)`,
);
process.exitCode = differences.found > 0 ? 1 : 0;

async function askAbout(kind: ServedKind, seed: Members, versions: readonly string[]): Promise<void> {
  const fields = fieldsOf(kind, () => true).filter(
    ({ path, place }) => path.length > 0 && !places.has(place) && pattern.test(path.join('.')),
  );
  for (const { place } of fields) places.add(place);
  const pending = [...drawn(kind, seed, fields)];
  const count = pending.length;
  const askOn = async (): Promise<void> => {
    for (let next = pending.pop(); next; next = pending.pop()) await askBoth(next, versions);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  console.log(`${kind.name}: ${count} asked, ${differences.found} differ so far`);
}

function drawn(kind: ServedKind, seed: Members, fields: readonly Field[]): Iterable<Question> {
  const count = Math.round(Number(values.pairs) * fields.length);
  if (count > 0) return pairsOf(kind, { seed, way: way as Way, fields }, { count, choices });
  return (values.texts ? textsOf : questionsOf)(kind, seed, way as Way, fields);
}

async function askBoth(question: Question, versions: readonly string[]): Promise<void> {
  const { method, path, text, headers } = question;
  const [here, there] = await both(async (peer) => {
    const version = versions[peer === ours ? 0 : 1] ?? '';
    const body = JSON.parse(text.replace(RESOURCE_VERSION, version)) as JsonObject;
    return compared(await ask(peer, method, path, body, headers).catch(unlessTheirs(peer)));
  });
  if (there.status !== BROKEN.status) differences.add(question, there, here);
}

function unlessTheirs(peer: unknown): (error: unknown) => typeof BROKEN {
  return (error) => {
    if (peer !== theirs) throw error;
    return BROKEN;
  };
}

/** Stores an object on both servers. Returns its versions; undefined if it is not stored. */
async function storedVersions(kind: ServedKind, seed: Members): Promise<readonly string[] | undefined> {
  await both((peer) => ask(peer, 'POST', kind.path, seed as JsonObject));
  const { name } = seed.metadata as { name: string };
  const versions = await both(async (peer) => {
    const { body } = await ask(peer, 'GET', `${kind.path}/${name}`);
    return (body.metadata as { resourceVersion?: string } | undefined)?.resourceVersion;
  });
  return versions.every((version) => version !== undefined) ? versions : undefined;
}

function versioned(seed: Members): Members {
  return { ...seed, metadata: { ...(seed.metadata as object), resourceVersion: RESOURCE_VERSION } };
}
