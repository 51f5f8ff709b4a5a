import { defineResource } from '@ashlar/apis';
import { createInformer, createWorkQueue, keyOf } from '@ashlar/client';
import type { Ambient, Authorizer } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { applyYaml, createServerFixture, createTestServer, waitFor } from './index.ts';

const things = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  spec: z.object({ size: z.int() }),
  status: z.object({ seen: z.int() }),
});
const configMaps = { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' };

describe('a test server', () => {
  it('is the ambient of the code under test, whose random numbers leave uids as they are', async () => {
    const made = async (draws: number): Promise<unknown> => {
      await using server = await createTestServer();
      const ambient: Ambient = server;
      const bytes = new Uint8Array(4);
      for (let i = 0; i < draws; i++) ambient.random.bytes(bytes);
      const maps = server.client.resource(configMaps).namespace('default');
      return [(await maps.create({ metadata: { name: 'a' } })).metadata.uid, ambient.random.bytes(bytes)];
    };
    const [uid, bytes] = (await made(0)) as unknown[];
    expect(await made(3)).toEqual([uid, expect.not.objectContaining({ ...(bytes as object) })]);
    expect(await made(0)).toEqual([uid, bytes]);
  });

  it('rejects a seed that is no whole number', async () => {
    await expect(createTestServer({ seed: 'x' as never })).rejects.toThrow(
      'option "seed" of createTestServer must be a whole number, not "x"',
    );
  });

  it('gives uids that depend on what was created, not on what was read', async () => {
    const uids = async (reads: number): Promise<unknown> => {
      await using server = await createTestServer();
      const maps = server.client.resource(configMaps).namespace('default');
      for (let i = 0; i < reads; i++) await maps.list();
      const { metadata } = await maps.create({ metadata: { generateName: 'a-' } });
      return [metadata.uid, metadata.name];
    };
    expect(await uids(7)).toEqual(await uids(0));
  });

  it('hands its clock and its random numbers to forks', async () => {
    const fixture = createServerFixture({ seed: 7 }, async ({ clock }) => clock.advance(3_600_000));
    const made = async (): Promise<unknown> => {
      await using server = await fixture();
      const maps = server.client.resource(configMaps).namespace('default');
      const { metadata } = await maps.create({ metadata: { name: 'a' } });
      return [metadata.uid, metadata.creationTimestamp];
    };
    const first = await made();
    expect(first).toEqual([expect.any(String), '2001-01-01T01:00:00Z']);
    expect(await made()).toEqual(first);
    await using server = await fixture();
    await using fork = server.fork();
    await fork.clock.advance(1000);
    expect(server.clock.now()).toBe(fork.clock.now());
  });

  it('finishes what it is doing before time passes, so that no request misses its deadline', async () => {
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await using server = await createTestServer({
      admission: [
        {
          name: 'Slow',
          handles: ({ name }) => name === 'slow',
          admit: async () => {
            for (let turns = 0; turns < 10; turns++) await turn();
          },
        },
      ],
    });
    const maps = server.client.resource(configMaps).namespace('default');
    const created = maps.create({ metadata: { name: 'slow' } });
    await server.clock.advance(3_600_000);
    expect((await created).metadata.name).toBe('slow');
  });

  it('waits until everything has been worked on', async () => {
    await using server = await createTestServer({ resources: [things] });
    const client = server.client.resource(things).namespace('default');
    const queue = createWorkQueue({ ambient: server });
    const informer = createInformer(server.client.resource(things));
    informer.addHandler({ added: (thing) => queue.add(keyOf(thing)) });
    const ended = queue.run(async (key) => {
      const [namespace = '', name = ''] = key.split('/');
      const thing = informer.get(namespace, name);
      if (thing) await client.status.update({ ...thing, status: { seen: thing.spec.size } });
    });
    for (let size = 0; size < 20; size++)
      await client.create({ metadata: { name: `a${size}` }, spec: { size } });
    await server.idle();
    const { items } = await client.list();
    expect(items.map(({ spec, status }) => status?.seen === spec.size)).toEqual(new Array(20).fill(true));
    queue.close();
    await Promise.all([informer.close(), ended]);
  });

  it('acts as a user, whom authorization and owners of fields see', async () => {
    const authorizer: Authorizer = {
      authorize: ({ user, verb }) => {
        const allowed = user.name === 'anna' && user.groups.includes('leads') && verb === 'create';
        return allowed ? { decision: 'allow' } : { decision: 'deny', reason: `${user.name} may not` };
      },
    };
    await using server = await createTestServer({ authorizer: () => authorizer });
    const anna = server
      .clientAs({ name: 'anna', groups: ['leads'] })
      .resource(configMaps)
      .namespace('default');
    await anna.create({ metadata: { name: 'a' } });
    await expect(anna.get('a')).rejects.toThrow('configmaps "a" is forbidden: User "anna" cannot get');
    await expect(
      server
        .clientAs({ name: 'ben' })
        .resource(configMaps)
        .namespace('default')
        .create({ metadata: { name: 'b' } }),
    ).rejects.toThrow('ben may not');
    expect(() => server.clientAs({ name: '' })).toThrow(
      'option "name" of clientAs must be the name of a user, not ""',
    );
  });
});

describe('waitFor', () => {
  it('fails with the stack of its call', async () => {
    await using server = await createTestServer({ resources: [things] });
    const failure = await waitFor(server.client.resource(things), () => true, {
      timeoutMilliseconds: 5,
    }).catch((error: Error) => error);
    const [, firstFrame] = (failure as Error).stack?.split('\n    at ') ?? [];
    expect(firstFrame).toContain('test-server.test.ts');
  });

  it('returns the object that is as wanted, at once or later', async () => {
    await using server = await createTestServer({ resources: [things] });
    const client = server.client.resource(things).namespace('default');
    const waiting = waitFor(client, ({ spec }) => spec.size === 3, { name: 'b' });
    await client.create({ metadata: { name: 'a' }, spec: { size: 3 } });
    const made = await client.create({ metadata: { name: 'b' }, spec: { size: 1 } });
    await client.update({ ...made, spec: { size: 3 } });
    expect((await waiting).metadata.name).toBe('b');
    expect((await waitFor(client, ({ spec }) => spec.size === 3)).metadata.name).toBe('a');
  });

  it('shows the last state of what it waited for', async () => {
    await using server = await createTestServer({ resources: [things] });
    const client = server.client.resource(things).namespace('default');
    await expect(waitFor(client, () => true, { timeoutMilliseconds: 20 })).rejects.toThrow(
      'no object was as wanted within 20 ms, none was seen',
    );
    await client.create({ metadata: { name: 'a' }, spec: { size: 4 } });
    await expect(
      waitFor(client, ({ spec }) => spec.size === 5, { name: 'a', timeoutMilliseconds: 20 }),
    ).rejects.toThrow(
      /object "a" was not as wanted within 20 ms, the last state is\ndefault\/a: \{[\s\S]*"size": 4/,
    );
  });
});

describe('applyYaml', () => {
  it('applies all documents of a text', async () => {
    await using server = await createTestServer({ resources: [things] });
    const text = `
apiVersion: v1
kind: Namespace
metadata: { name: here }
---
apiVersion: example.com/v1
kind: Thing
metadata: { name: a, namespace: here }
spec: { size: 1 }
`;
    const [namespace, thing] = await applyYaml(server, text);
    expect(namespace?.metadata.uid).toBeDefined();
    expect(thing).toMatchObject({ metadata: { namespace: 'here' }, spec: { size: 1 } });
  });

  it.each([
    ['a: 1', 'document 1 of the YAML text is not an object with apiVersion and kind'],
    ['apiVersion: v1\nkind: Thing', 'document 1 of the YAML text: the server has no kind Thing of v1'],
    ['---\na: 1\n---\nb: [', 'document 3: yaml: line'],
  ])('says what is wrong with %j', async (text, message) => {
    await using server = await createTestServer();
    await expect(applyYaml(server, text)).rejects.toThrow(message);
  });
});
