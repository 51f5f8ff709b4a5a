// Installs the definitions of well-known projects here and on a reference, and compares responses:
//   npx tsx --conditions=@ashlar/source conformance/projects.ts --reference https://HOST:PORT --ca ca.crt --token TOKEN
//     [--only REGEX] [--mutations 20] [--show 5]
// The packages are fetched while it runs (`go mod download`) into a folder that is removed again. Samples
// are the packages' own objects of their kinds and generated ones, each valid and with systematic mistakes,
// in dry runs. Fails if responses differ.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { type Peers, referenceFlags, startPeers } from './peers.ts';
import { fetchModule, objectsIn, type Project, projects } from './projects/packages.ts';
import { type Answered, ask, comparable, type Peer } from './projects/peer.ts';
import { type Mutation, madeSample, mutationsOf, type Schema } from './projects/samples.ts';

const { values } = parseArgs({
  options: {
    ...referenceFlags,
    only: { type: 'string', default: '.' },
    mutations: { type: 'string', default: '20' },
  },
});
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const NAMESPACE = `projects-${Date.now().toString(36)}`;
const QUERIES = ['fieldValidation=Strict&dryRun=All', 'fieldValidation=Warn&dryRun=All'];

interface Kind {
  readonly path: string;
  readonly schema: Schema;
  readonly apiVersion: string;
  readonly kind: string;
}

interface Tally {
  requests: number;
  accepted: number;
  readonly differences: string[];
}

/** The served versions of a definition. */
function kindsOf(definition: JsonObject): Kind[] {
  const { group, names, scope, versions } = definition.spec as unknown as {
    group: string;
    names: { plural: string; kind: string };
    scope: string;
    versions: { name: string; served: boolean; schema?: { openAPIV3Schema: Schema } }[];
  };
  const place = scope === 'Namespaced' ? `namespaces/${NAMESPACE}/` : '';
  return versions
    .filter(({ served }) => served)
    .map(({ name, schema }) => ({
      path: `/apis/${group}/${name}/${place}${names.plural}`,
      schema: schema?.openAPIV3Schema ?? {},
      apiVersion: `${group}/${name}`,
      kind: names.kind,
    }));
}

const nameOf = (definition: JsonObject): string => (definition.metadata as { name: string }).name;

/** Creates a definition and waits until it is established; resolves to the first response. */
async function install(peer: Peer, definition: JsonObject): Promise<Answered> {
  await remove(peer, definition);
  const created = await ask(peer, 'POST', DEFINITIONS, definition);
  if (created.status === 201) await until(peer, `${DEFINITIONS}/${nameOf(definition)}`, established);
  return created;
}

/** Retries until the response is as expected, or for ten seconds. */
async function until(peer: Peer, path: string, wanted: (answered: Answered) => boolean): Promise<void> {
  for (let i = 0; i < 200 && !wanted(await ask(peer, 'GET', path)); i++)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

async function remove(peer: Peer, definition: JsonObject): Promise<void> {
  const path = `${DEFINITIONS}/${nameOf(definition)}`;
  await ask(peer, 'DELETE', path);
  await until(peer, path, ({ status }) => status === 404);
}

function established({ body: { status } }: Answered): boolean {
  const conditions = isJsonObject(status) && Array.isArray(status.conditions) ? status.conditions : [];
  return conditions.some(
    (condition) => isJsonObject(condition) && condition.type === 'Established' && condition.status === 'True',
  );
}

/** Of an accepted definition, its content is compared once it is established. */
const withoutBody = (answered: Answered): Answered =>
  answered.status === 201 ? { ...answered, body: {} } : answered;

/** The definition as served; the order and times of conditions are ignored. */
function settled(answered: Answered): Answered {
  const { managedFields: _, ...metadata } = (answered.body.metadata ?? {}) as JsonObject;
  const status = (answered.body.status ?? {}) as JsonObject;
  const conditions = Array.isArray(status.conditions) ? status.conditions : [];
  const comparable = conditions.map((condition) =>
    JSON.stringify({ ...(condition as JsonObject), lastTransitionTime: '' }),
  );
  const body = { ...answered.body, metadata, status: { ...status, conditions: comparable.sort() } };
  return { ...answered, body };
}

function compare(tally: Tally, what: string, ours: Answered, theirs: Answered): void {
  tally.requests++;
  if (theirs.status < 300) tally.accepted++;
  const [a, b] = [comparable(ours), comparable(theirs)];
  if (JSON.stringify(a) !== JSON.stringify(b))
    tally.differences.push(`${what}\n${firstDifference(a, b, '')}`);
}

function firstDifference(a: JsonValue | undefined, b: JsonValue | undefined, path: string): string {
  const keys = (value: JsonValue | undefined): string[] =>
    value !== null && typeof value === 'object' ? Object.keys(value) : [];
  const at = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
    (value as JsonObject | undefined)?.[key];
  for (const key of new Set([...keys(a), ...keys(b)])) {
    const [x, y] = [at(a, key), at(b, key)];
    if (JSON.stringify(x) === JSON.stringify(y)) continue;
    if (keys(x).length > 0 && keys(y).length > 0) return firstDifference(x, y, `${path}/${key}`);
    return `  at ${path}/${key}\n  ours   ${shown(x)}\n  theirs ${shown(y)}`;
  }
  return `  at ${path}\n  ours   ${shown(a)}\n  theirs ${shown(b)}`;
}

const shown = (value: JsonValue | undefined): string => (JSON.stringify(value) ?? 'nothing').slice(0, 700);

/** The package's objects of the kinds, and generated ones. */
function samplesOf(
  folder: string,
  kinds: readonly Kind[],
): { what: string; kind: Kind; object: JsonObject }[] {
  const found = [...objectsIn(folder)].flatMap(({ file, object }) => {
    const kind = kinds.find((k) => k.apiVersion === object.apiVersion && k.kind === object.kind);
    return kind ? [{ what: file, kind, object }] : [];
  });
  const unique = new Map(found.map((sample) => [JSON.stringify(sample.object), sample]));
  for (const kind of kinds)
    for (const everything of [false, true]) {
      const made = madeSample(kind.schema, everything) as JsonObject;
      const object = { ...made, apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'made' } };
      unique.set(JSON.stringify(object), {
        what: everything ? 'made, everything' : 'made, minimal',
        kind,
        object,
      });
    }
  return [...unique.values()];
}

/** A sample to post, in the namespace of this run. */
function posted(object: JsonObject, kind: Kind): JsonObject {
  const { namespace: _, ...metadata } = (object.metadata ?? {}) as JsonObject;
  return kind.path.includes(NAMESPACE)
    ? { ...object, metadata: { ...metadata, namespace: NAMESPACE } }
    : { ...object, metadata };
}

/** Evenly spread over the sample, so that large ones do not dominate. */
function chosen(mutations: readonly Mutation[]): Mutation[] {
  const most = Number(values.mutations);
  const step = Math.max(1, mutations.length / most);
  return Array.from(
    { length: Math.min(most, mutations.length) },
    (_, i) => mutations[Math.floor(i * step)] as Mutation,
  );
}

async function run(project: Project, folder: string, { ours, theirs, both }: Peers): Promise<number> {
  const tally: Tally = { requests: 0, accepted: 0, differences: [] };
  const definitions = [...objectsIn(folder)]
    .filter(
      ({ file, object }) => project.definitions.test(file) && object.kind === 'CustomResourceDefinition',
    )
    .map(({ object }) => object);
  let samples = 0;
  try {
    for (const definition of definitions) {
      const [here, there] = await both((peer) => install(peer, definition));
      compare(tally, `${nameOf(definition)}, made`, withoutBody(here), withoutBody(there));
    }
    const kinds = definitions.flatMap(kindsOf);
    for (const { path } of kinds)
      for (const peer of [ours, theirs]) await until(peer, path, ({ status }) => status === 200);
    for (const definition of definitions) {
      const path = `${DEFINITIONS}/${nameOf(definition)}`;
      const [here, there] = await both((peer) => ask(peer, 'GET', path));
      if (!established(here))
        tally.differences.push(`${nameOf(definition)} is not established: ${shown(here.body)}`);
      compare(tally, nameOf(definition), settled(here), settled(there));
    }
    for (const { what, kind, object } of samplesOf(folder, kinds)) {
      samples++;
      const sample = posted(object, kind);
      const all = [{ what: 'as it is', object: sample }, ...chosen(mutationsOf(sample, kind.schema))];
      for (const mutation of all)
        for (const query of QUERIES) {
          const path = `${kind.path}?${query}`;
          const [here, there] = await both((peer) => ask(peer, 'POST', path, mutation.object));
          compare(tally, `${kind.kind} of ${what}: ${mutation.what} (${query})`, here, there);
        }
    }
  } finally {
    for (const definition of definitions) await remove(theirs, definition);
  }
  console.log(
    `${project.name.padEnd(20)} ${definitions.length} definitions, ${samples} samples, ${tally.requests} answers compared ` +
      `(${tally.accepted} accept), ${tally.differences.length} differ`,
  );
  for (const difference of tally.differences.slice(0, Number(values.show))) console.log(`- ${difference}`);
  return tally.differences.length;
}

await using peers = await startPeers(values);
const { ours, theirs } = peers;
const cache = mkdtempSync(join(tmpdir(), 'projects-'));
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
let differing = 0;
try {
  for (const peer of [ours, theirs]) await ask(peer, 'POST', '/api/v1/namespaces', namespace);
  for (const project of projects.filter(({ name }) => new RegExp(values.only).test(name))) {
    const fetched = await fetchModule(project.module, cache);
    if ('error' in fetched)
      console.log(`${project.name.padEnd(20)} SKIPPED, its package cannot be fetched: ${fetched.error}`);
    else differing += await run(project, fetched.folder, peers);
  }
} finally {
  await ask(theirs, 'DELETE', `/api/v1/namespaces/${NAMESPACE}`);
  rmSync(cache, { recursive: true, force: true });
}
process.exitCode = differing === 0 ? 0 : 1;
