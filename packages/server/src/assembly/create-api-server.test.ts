import { setImmediate } from 'node:timers/promises';
import type { AdmissionPlugin } from '@ashlar/admission';
import type { Client } from '@ashlar/client';
import { type Authenticator, kubernetesVocabulary, orchVocabulary, StatusError } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { nodeAmbient, nodeClock, nodeRandom } from '@ashlar/http-node';
import type { ResourceDefinition } from '@ashlar/registry';
import { createMemoryStore, type KeyValueStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from './api-server.ts';
import { createApiServer } from './create-api-server.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' };
const NAMESPACE_KIND = { group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' };
const NAMESPACES = 'http://server/api/v1/namespaces';

const namesOf = async ({ client }: ApiServer): Promise<readonly string[]> => {
  const { items } = await client.resource(configMaps).namespace('default').list();
  return items.map(({ metadata }) => metadata.name ?? '');
};

const write = ({ client }: ApiServer, name: string): Promise<unknown> =>
  client.resource(configMaps).namespace('default').create({ metadata: { name } });

describe('createApiServer', () => {
  it('rejects updates that grow an object beyond the body limit', async () => {
    await using server = createApiServer();
    await server.ready;
    const group = 'rbac.authorization.orch.io';
    const roles = server.client
      .resource({ group, version: 'v1', resource: 'roles', kind: 'Role' })
      .namespace('default');
    const rules = ['a', 'b'].map((letter) => ({
      apiGroups: [''],
      resources: ['pods'],
      verbs: ['get'],
      resourceNames: [letter.repeat(1_500_000)],
    }));
    await roles.create({ metadata: { name: 'large' }, rules });
    const response = await server.fetch(
      new Request(`http://server/apis/${group}/v1/namespaces/default/roles/large`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ metadata: { annotations: { note: 'x'.repeat(200_000) } } }),
      }),
    );
    expect([response.status, await response.json()]).toEqual([
      413,
      expect.objectContaining({ message: 'Request entity too large: limit is 3145728' }),
    ]);
    expect((await roles.get('large')).metadata.annotations).toBeUndefined();
  });

  it('has its namespaces when it is ready', async () => {
    await using server = createApiServer();
    await server.ready;
    const { items } = (await (await server.fetch(new Request(NAMESPACES))).json()) as {
      items: { metadata: { name: string } }[];
    };
    expect(items.map(({ metadata }) => metadata.name)).toEqual([
      'default',
      'orch-node-lease',
      'orch-public',
      'orch-system',
    ]);
    expect(await (await server.fetch(new Request('http://server/readyz'))).text()).toBe('ok');
  });

  it('uses the given vocabulary', async () => {
    await using server = createApiServer({ vocabulary: kubernetesVocabulary });
    await server.ready;
    expect((await server.fetch(new Request(`${NAMESPACES}/kube-system`))).status).toBe(200);
  });

  it('authenticates its own client with any authenticator', async () => {
    const nobody: Authenticator = { authenticate: () => ({ outcome: 'none' }) };
    await using server = createApiServer({
      authenticator: () => nobody,
      authorizer: () => ({ authorize: () => ({ decision: 'deny' }) }),
    });
    await server.ready;
    await write(server, 'a');
    expect(await namesOf(server)).toEqual(['a']);
    expect((await server.fetch(new Request(NAMESPACES))).status).toBe(401);
    const forged = new Request(NAMESPACES, {
      headers: { authorization: 'Bearer 00000000-0000-4000-8000-000000000000' },
    });
    expect((await server.fetch(forged)).status).toBe(401);
  });

  it('runs admission plugins of the host after the built-in ones', async () => {
    const plugin = {
      name: 'NoSecrets',
      handles: ({ resource }: { resource: { resource: string } }) => resource.resource === 'configmaps',
      validate: () => {
        throw StatusError.forbidden(undefined, '', 'none of these');
      },
    };
    await using server = createApiServer({ admission: [plugin] });
    await server.ready;
    await expect(write(server, 'a')).rejects.toThrow('none of these');
    const elsewhere = server.client
      .resource(configMaps)
      .namespace('nowhere')
      .create({ metadata: { name: 'a' } });
    await expect(elsewhere).rejects.toThrow('namespaces "nowhere" not found');
  });

  it('tells admission plugins when the response of a request is due', async () => {
    const due: (number | undefined)[] = [];
    const plugin: AdmissionPlugin = {
      name: 'Note',
      handles: ({ resource }) => resource.resource === 'configmaps',
      validate: ({ endsAt }) => void due.push(endsAt),
    };
    const clock = createSteppedClock();
    await using server = createApiServer({
      admission: [plugin],
      ambient: { ...nodeAmbient(orchVocabulary), clock },
    });
    await server.ready;
    for (const query of ['', '?timeout=2s'])
      await server.fetch(
        new Request(`http://server/api/v1/namespaces/default/configmaps${query}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"metadata":{"generateName":"a"}}',
        }),
      );
    const now = clock.monotonic();
    expect(due).toEqual([now + 60_000, now + 2000]);
  });

  it('serves further types while it runs', async () => {
    await using server = createApiServer();
    await server.ready;
    const moons: ResourceDefinition = {
      group: 'example.com',
      names: { plural: 'moons', singular: 'moon', kind: 'Moon', listKind: 'MoonList' },
      scope: 'Cluster',
      dialect: 'custom',
      versions: [{ name: 'v1', served: true, storage: true, schema: { type: 'object' } }],
      strategy: { validateName: () => [] },
      storage: { list: () => ({ items: [], resourceVersion: '1' }) },
    };
    const path = 'http://server/apis/example.com/v1/moons';
    expect((await server.fetch(new Request(path))).status).toBe(404);
    server.serve(moons);
    expect((await server.fetch(new Request(path))).status).toBe(200);
  });

  it('forks into independent servers', async () => {
    await using server = createApiServer();
    await server.ready;
    await write(server, 'shared');
    await using fork = server.fork();
    const nowhere = new Request('http://server/apis/example.com/v1/none');
    expect((await fork.fetch(nowhere)).status).toBe(404);
    await fork.ready;
    await write(fork, 'of-the-fork');
    await write(server, 'of-the-first');
    expect(await namesOf(server)).toEqual(['of-the-first', 'shared']);
    expect(await namesOf(fork)).toEqual(['of-the-fork', 'shared']);
    await fork.close();
    expect(await namesOf(server)).toEqual(['of-the-first', 'shared']);
  });

  it('compacts the storage at the given interval', async () => {
    const clock = createSteppedClock(1_700_000_000_000);
    const ambient = { clock, random: nodeRandom, vocabulary: kubernetesVocabulary };
    const storage = createMemoryStore({ clock, historyMilliseconds: Number.POSITIVE_INFINITY });
    await using server = createApiServer({ storage, ambient, compactionMilliseconds: 1000 });
    await server.ready;
    const before = server.store.usage?.();
    expect(before).toMatchObject({ oldestRevision: 1, revision: storage.currentRevision() });
    for (let i = 0; i < 2; i++) {
      clock.advance(1000);
      await setImmediate();
    }
    expect(server.store.usage?.()?.oldestRevision).toBeGreaterThanOrEqual(before?.revision ?? 0);
  });

  it('throws if its storage cannot be forked', async () => {
    const memory = createMemoryStore({ clock: nodeClock });
    const storage: KeyValueStore = new Proxy(memory, {
      get: (store, name) => {
        const value = Reflect.get(store, name, store);
        return name === 'fork' ? undefined : typeof value === 'function' ? value.bind(store) : value;
      },
    });
    await using server = createApiServer({ storage });
    expect(() => server.fork()).toThrow(new TypeError('this storage cannot be forked'));
  });

  it('reports a failing storage, and is neither ready nor live', async () => {
    const memory = createMemoryStore({ clock: nodeClock });
    await memory[Symbol.asyncDispose]();
    const faults: unknown[] = [];
    const server = createApiServer({ storage: memory, onError: (error) => faults.push(error) });
    await expect(server.ready).rejects.toThrow();
    await setImmediate();
    expect(faults).toHaveLength(1);
    expect((await server.fetch(new Request('http://server/readyz'))).status).toBe(500);
    expect((await server.fetch(new Request('http://server/livez'))).status).toBe(500);
  });

  it('answers its clients when it is ready, or with the reason why it is not', async () => {
    await using server = createApiServer();
    const list = (client: Client, signal?: AbortSignal) =>
      client
        .resource(configMaps)
        .namespace('default')
        .list(signal && { signal });
    await expect(write(server, 'a')).resolves.toBeDefined();
    expect((await list(createApiServer().clientAs({ name: 'a', groups: ['system:masters'] }))).items).toEqual(
      [],
    );
    const memory = createMemoryStore({ clock: nodeClock });
    await memory[Symbol.asyncDispose]();
    await using failing = createApiServer({ storage: memory, onError: () => {} });
    await expect(list(failing.client)).rejects.toThrow(await failing.ready.catch(({ message }) => message));
    await using other = createApiServer();
    await expect(list(other.client, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });

  it('only reads its storage if it is read-only, as do its forks', async () => {
    const storage = createMemoryStore({ clock: nodeClock });
    await using reader = createApiServer({ storage, readOnly: true });
    const refusal = { code: 405, message: 'this server is read-only' };
    expect(await reader.client.resource(NAMESPACE_KIND).list()).toMatchObject({ items: [] });
    for (const server of [reader, reader.fork()])
      await expect(
        server.client.resource(NAMESPACE_KIND).create({ metadata: { name: 'x' } }),
      ).rejects.toMatchObject(refusal);
    expect(await storage.currentRevision()).toBe(1);
  });

  it('can be closed before it is ready, and more than once', async () => {
    const faults: unknown[] = [];
    const server = createApiServer({ onError: (error) => faults.push(error) });
    const closed = server.close();
    await server.ready.catch(() => {});
    await closed;
    await server.close();
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    expect(faults).toEqual([]);
  });

  it('ends open watches when it closes', async () => {
    const server = createApiServer();
    await server.ready;
    const response = await server.fetch(new Request(`${NAMESPACES}?watch=1&resourceVersion=1`));
    const reading = response.text();
    await setImmediate();
    await server.close();
    expect((await reading).trim().split('\n').length).toBeGreaterThanOrEqual(4);
  });

  it('uses only the time and randomness of its ambient', async () => {
    const clock = createSteppedClock(Date.UTC(2020, 0, 1));
    const ambient = { clock, random: nodeRandom, vocabulary: kubernetesVocabulary };
    await using server = createApiServer({ ambient, vocabulary: kubernetesVocabulary, controllers: false });
    await server.ready;
    await write(server, 'a');
    const { metadata } = await server.client.resource(configMaps).namespace('default').get('a');
    expect(metadata.creationTimestamp).toBe('2020-01-01T00:00:00Z');
  });
});
