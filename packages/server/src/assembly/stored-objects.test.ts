import { type ApiObject, orchVocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { createMemoryStore, type KeyValueStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from './api-server.ts';
import { createApiServer } from './create-api-server.ts';

const ambient = nodeAmbient(orchVocabulary);

const WIDGETS = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: ['v1', 'v2'].map((name) => ({
      ...{ name, served: true, storage: name === 'v1' },
      schema: { openAPIV3Schema: { type: 'object' } },
    })),
  },
} as unknown as ApiObject;

/** What the metric tells of a resource. */
async function countsOf(server: ApiServer, resource: string): Promise<readonly string[]> {
  const response = await server.fetch(new Request('http://server/metrics'));
  const start = `apiserver_storage_objects{resource="${resource}"} `;
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith(start));
  return lines.map((line) => line.slice(start.length));
}

async function until(reached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('the metric of stored objects', () => {
  it('is of built-in types, without those that share the objects of others', async () => {
    await using server = createApiServer();
    await server.ready;
    expect(await countsOf(server, 'namespaces')).toEqual(['4']);
    expect(await countsOf(server, 'customresourcedefinitions.apiextensions.orch.io')).toEqual(['0']);
    expect(await countsOf(server, 'events')).toEqual(['0']);
    expect(await countsOf(server, 'events.events.orch.io')).toEqual([]);
  });

  it('is of custom types while they are served', async () => {
    await using server = createApiServer();
    await server.ready;
    const [definitions, widgets] = [
      {
        group: 'apiextensions.orch.io',
        resource: 'customresourcedefinitions',
        kind: 'CustomResourceDefinition',
      },
      { group: 'example.com', resource: 'widgets', kind: 'Widget' },
    ].map((type) => server.client.resource({ ...type, version: 'v1' }));
    const isServed = (): boolean => server.catalog.find('example.com', 'v1', 'widgets') !== undefined;
    const counts = (): Promise<readonly string[]> => countsOf(server, 'widgets.example.com');
    expect(await counts()).toEqual([]);
    await definitions?.create(WIDGETS);
    await until(isServed);
    for (const name of ['a', 'b']) await widgets?.create({ metadata: { name } });
    expect(await counts()).toEqual(['2']);
    await widgets?.delete('b');
    expect(await counts()).toEqual(['1']);
    await definitions?.delete('widgets.example.com');
    await until(() => !isServed());
    expect(await counts()).toEqual([]);
  });

  it('is known from the start if the store answers later', async () => {
    const storage: KeyValueStore = createMemoryStore({ clock: ambient.clock });
    const range = storage.range.bind(storage);
    let isAnswering = true;
    storage.range = async (prefix, options) =>
      isAnswering || options?.limit !== 0 ? range(prefix, options) : new Promise(() => {});
    await using server = createApiServer({ storage });
    await server.ready;
    await new Promise((resolve) => setImmediate(resolve));
    isAnswering = false;
    expect(await countsOf(server, 'namespaces')).toEqual(['4']);
  });
});
