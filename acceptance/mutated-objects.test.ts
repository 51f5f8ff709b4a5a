import { workloadResources } from '@ashlar/apis/workloads';
import { isJsonObject, type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { createServerFixture, type TestServer } from '@ashlar/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mutated, mutations, recordedObjects } from './mutated-objects.fixture.ts';

/** Runs of each kind; `ASHLAR_RUNS` multiplies them. */
const RUNS = 12 * Number(process.env.ASHLAR_RUNS ?? 1);

const faults: unknown[] = [];
const fixture = createServerFixture({
  vocabulary: kubernetesVocabulary,
  resources: workloadResources(kubernetesVocabulary),
  onError: (error) => faults.push(error),
});

interface ServedType {
  readonly path: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly namespaced: boolean;
}

const read = async (server: TestServer, path: string): Promise<JsonObject> =>
  (await (await server.fetch(new Request(`http://server${path}`))).json()) as JsonObject;

/** The types that can be created, from discovery. */
async function servedTypes(server: TestServer): Promise<readonly ServedType[]> {
  const { groups } = (await read(server, '/apis')) as unknown as {
    groups: { versions: { groupVersion: string }[] }[];
  };
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
  const lists = await Promise.all(
    ['v1', ...versions].map(async (apiVersion) => {
      const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
      const { resources } = (await read(server, root)) as unknown as {
        resources: { name: string; kind: string; namespaced: boolean; verbs: string[] }[];
      };
      return resources
        .filter(({ name, verbs }) => !name.includes('/') && verbs.includes('create') && verbs.includes('get'))
        .map(({ name, kind, namespaced }) => {
          const path = namespaced ? `${root}/namespaces/default/${name}` : `${root}/${name}`;
          return { path, kind, apiVersion, namespaced };
        });
    }),
  );
  return lists.flat();
}

const PATCHES = [
  ['', 'strategic-merge-patch+json'],
  ['', 'merge-patch+json'],
  ['?fieldManager=test&force=true', 'apply-patch+yaml'],
] as const;

/** Sends a request and returns the status of its response. Fails if it was answered with an internal error, or if one was reported. */
async function send(
  server: TestServer,
  method: string,
  path: string,
  type?: string,
  body?: JsonObject,
): Promise<number> {
  const init = body && { body: JSON.stringify(body), headers: { 'content-type': `application/${type}` } };
  const response = await server.fetch(new Request(`http://server${path}`, { method, ...init }));
  expect(await response.text()).not.toContain('Internal error occurred');
  expect(faults).toEqual([]);
  return response.status;
}

/** The object under the name of the test. */
function named(seed: JsonObject, namespaced: boolean): JsonObject {
  const { metadata = null } = seed;
  const given = isJsonObject(metadata) ? metadata : {};
  return { ...seed, metadata: { ...given, name: 'mutated', ...(namespaced && { namespace: 'default' }) } };
}

it('answers objects of every kind, whatever is in them, without an internal error', async () => {
  const recorded = recordedObjects();
  await using described = await fixture();
  const created = new Set<string>();
  for (const { path, apiVersion, kind, namespaced } of await servedTypes(described)) {
    const seeds = recorded.get(`${apiVersion}/${kind}`) ?? [{ apiVersion, kind, spec: {}, status: {} }];
    const changes = fc.tuple(mutations, mutations, mutations);
    const property = fc.asyncProperty(
      fc.constantFrom(...seeds),
      changes,
      async (seed, [post, put, patch]) => {
        await using server = await fixture();
        const object = named(seed, namespaced);
        const one = `${path}/mutated`;
        if ((await send(server, 'POST', path, 'json', object)) === 201) created.add(`${apiVersion}/${kind}`);
        await send(server, 'PUT', one, 'json', mutated(object, put));
        for (const [query, type] of PATCHES)
          await send(server, 'PATCH', `${one}${query}`, type, mutated(object, patch));
        await send(server, 'DELETE', one);
        await send(server, 'POST', path, 'json', mutated(object, post));
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  }
  // a few of many kinds are valid as they were recorded
  expect(created.size).toBeGreaterThan(20);
});
