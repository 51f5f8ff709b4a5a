import type { ApiObject } from '@ashlar/core';
import { createMemoryStore } from '@ashlar/storage';
import { createManualClock, createTestServer, type TestServer } from '@ashlar/testing';
import { describe, expect, it } from 'vitest';

interface Namespace extends ApiObject {
  readonly spec: { readonly finalizers?: readonly string[] };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message: string;
    }[];
  };
}

const namespacesOf = ({ client }: TestServer) =>
  client.resource<Namespace>({ group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' });
const mapsOf = ({ client }: TestServer, namespace = 'n') =>
  client
    .resource({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
    .namespace(namespace);
const secretsOf = ({ client }: TestServer) =>
  client.resource({ group: '', version: 'v1', resource: 'secrets', kind: 'Secret' }).namespace('n');

async function withNamespace(): Promise<TestServer> {
  const server = await createTestServer();
  await namespacesOf(server).create({ metadata: { name: 'n' } });
  return server;
}

const gone = (server: TestServer): Promise<boolean> =>
  namespacesOf(server)
    .get('n')
    .then(
      () => false,
      (error) => error.code === 404,
    );

/**
 * Advances the time until something holds; the controller retries every half a second. Discovery documents
 * are hashed outside the event loop: that takes real time.
 */
async function until(server: TestServer, holds: () => Promise<boolean>): Promise<void> {
  const holdsBy = async (): Promise<boolean> => {
    await server.clock.advance(100);
    return holds();
  };
  await expect.poll(holdsBy, { interval: 5, timeout: 10_000 }).toBe(true);
}

describe('namespace deletion', () => {
  it('deletes its content and the namespace', async () => {
    await using server = await withNamespace();
    for (const name of ['a', 'b']) await mapsOf(server).create({ metadata: { name } });
    await secretsOf(server).create({ metadata: { name: 's' } });
    await mapsOf(server, 'default').create({ metadata: { name: 'kept' } });
    const marked = (await namespacesOf(server).delete('n')) as Namespace;
    expect([marked.status.phase, marked.spec.finalizers]).toEqual(['Terminating', ['orch']]);
    await until(server, () => gone(server));
    expect((await mapsOf(server).list()).items).toEqual([]);
    expect((await secretsOf(server).list()).items).toEqual([]);
    expect((await mapsOf(server, 'default').list()).items).toHaveLength(1);
  });

  it('reports what blocks it, and completes afterwards', async () => {
    await using server = await withNamespace();
    await mapsOf(server).create({ metadata: { name: 'held', finalizers: ['example.com/f'] } });
    await namespacesOf(server).delete('n');
    const message = async (type: string): Promise<string | undefined> => {
      const { conditions = [] } = (await namespacesOf(server).get('n')).status;
      return conditions.find((condition) => condition.type === type && condition.status === 'True')?.message;
    };
    await until(server, async () => (await message('NamespaceFinalizersRemaining')) !== undefined);
    expect(await message('NamespaceContentRemaining')).toBe(
      'Some resources are remaining: configmaps. has 1 resource instances',
    );
    expect(await message('NamespaceFinalizersRemaining')).toBe(
      'Some content in the namespace has finalizers remaining: example.com/f in 1 resource instances',
    );
    const held = await mapsOf(server).get('held');
    expect(held.metadata.deletionTimestamp).toBeDefined();
    await mapsOf(server).update({ ...held, metadata: { ...held.metadata, finalizers: [] } });
    await until(server, () => gone(server));
  });

  it('rejects new content meanwhile', async () => {
    await using server = await withNamespace();
    await mapsOf(server).create({ metadata: { name: 'held', finalizers: ['example.com/f'] } });
    await namespacesOf(server).delete('n');
    await expect(mapsOf(server).create({ metadata: { name: 'late' } })).rejects.toMatchObject({
      code: 403,
      message: expect.stringContaining('because it is being terminated'),
    });
  });

  it('continues on a server that starts after the deletion', async () => {
    const storage = createMemoryStore({ clock: createManualClock() });
    await using first = await createTestServer({ controllers: false, storage });
    await namespacesOf(first).create({ metadata: { name: 'n' } });
    await mapsOf(first).create({ metadata: { name: 'a' } });
    await namespacesOf(first).delete('n');
    await first.clock.advance(60_000);
    expect(await gone(first)).toBe(false);
    await using second = await createTestServer({ storage: storage.fork() });
    await until(second, () => gone(second));
  });

  it('completes despite concurrent writes to the namespace', async () => {
    const faults: unknown[] = [];
    await using server = await createTestServer({ onError: (error) => faults.push(error) });
    const namespaces = namespacesOf(server);
    await namespaces.create({ metadata: { name: 'n' } });
    await mapsOf(server).create({ metadata: { name: 'held', finalizers: ['example.com/f'] } });
    await namespaces.delete('n');
    let writes = 0;
    await until(server, async () => {
      const marked = await namespaces.get('n').catch(() => undefined);
      if (!marked) return true;
      await namespaces
        .update({ ...marked, metadata: { ...marked.metadata, labels: { count: `${writes++}` } } })
        .catch(() => {});
      if (writes === 10)
        await mapsOf(server).update({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'held' } });
      return false;
    });
    expect([writes >= 10, faults]).toEqual([true, []]);
  });

  it('does not empty a new namespace of the same name', async () => {
    await using server = await withNamespace();
    const namespaces = namespacesOf(server);
    const held = await mapsOf(server).create({ metadata: { name: 'held', finalizers: ['example.com/f'] } });
    await namespaces.delete('n');
    await until(server, async () => (await namespaces.get('n')).status.conditions !== undefined);
    // the controller retries in half a second; a write triggers it immediately
    await mapsOf(server).update({ ...held, metadata: { name: 'held' } });
    const marked = await namespaces.get('n');
    await namespaces.update({ ...marked, metadata: { ...marked.metadata, labels: { look: 'now' } } });
    for (let turn = 0; turn < 200 && !(await gone(server)); turn++) await new Promise(setImmediate);
    expect(await gone(server)).toBe(true);
    await namespaces.create({ metadata: { name: 'n' } });
    await mapsOf(server).create({ metadata: { name: 'new' } });
    for (let round = 0; round < 20; round++) {
      await server.clock.advance(100);
      await new Promise(setImmediate);
    }
    expect((await mapsOf(server).list()).items.map(({ metadata }) => metadata.name)).toContain('new');
  });

  it('does not affect other servers over the store', async () => {
    const faults: unknown[] = [];
    await using server = await createTestServer({ onError: (error) => faults.push(error) });
    for (let i = 0; i < 10; i++) {
      const name = `many-${i}`;
      await namespacesOf(server).create({ metadata: { name } });
      await mapsOf(server, name).create({ metadata: { name: 'a' } });
    }
    for (let i = 0; i < 10; i++) await namespacesOf(server).delete(`many-${i}`);
    await until(server, async () => {
      const { items } = await namespacesOf(server).list();
      return items.every(({ metadata }) => !metadata.name?.startsWith('many-'));
    });
    expect(faults).toEqual([]);
  });
});
