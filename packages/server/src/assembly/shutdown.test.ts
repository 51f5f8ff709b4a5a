import { workloadResources } from '@ashlar/apis/workloads';
import { kubernetesVocabulary } from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import type { ConnectHandler } from '@ashlar/http';
import { listen, nodeRandom } from '@ashlar/http-node';
import { createMemoryStore, type KeyValueStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from './api-server.ts';
import type { ApiServerOptions } from './api-server-options.ts';
import { createApiServer } from './create-api-server.ts';

const vocabulary = kubernetesVocabulary;
const MAPS = '/api/v1/namespaces/default/configmaps';

interface Ending {
  readonly server: ApiServer;
  readonly clock: SteppedClock;
  /** Events in order. */
  readonly received: string[];
}

/** A server that records when its storage is closed. */
async function startServer(options: ApiServerOptions = {}): Promise<Ending> {
  const clock = createSteppedClock(1_700_000_000_000);
  const received: string[] = [];
  const memory = createMemoryStore({ clock });
  const storage: KeyValueStore = new Proxy(memory, {
    get(store, name) {
      if (name === Symbol.asyncDispose) received.push('storage closed');
      const value = Reflect.get(store, name, store);
      return typeof value === 'function' ? value.bind(store) : value;
    },
  });
  const server = createApiServer({
    ...{ vocabulary, storage, ambient: { clock, random: nodeRandom, vocabulary } },
    ...options,
  });
  await server.ready;
  return { server, clock, received: received };
}

const statusOf = async ({ server }: Ending, path: string): Promise<number> =>
  (await server.fetch(new Request(`http://server${path}`))).status;

describe('the end of a server', () => {
  it('fails readyz first; requests are served until the delay has passed', async () => {
    const ending = await startServer({ shutdownDelayMilliseconds: 1000 });
    await using _ = ending.server;
    await using listener = await listen(ending.server.handler);
    const over = (path: string): Promise<Response> => fetch(`${listener.url}${path}`);
    expect((await over('/readyz')).status).toBe(200);

    const drained = ending.server.drain().then(() => ending.received.push('drained'));
    const refused = await over('/readyz');
    expect([refused.status, (await refused.text()).split('\n').slice(-3)]).toEqual([
      500,
      ['[-]shutdown failed: reason withheld', 'readyz check failed', ''],
    ]);
    expect([(await over('/livez')).status, (await over('/healthz')).status]).toEqual([200, 200]);
    expect((await over(MAPS)).status).toBe(200);
    ending.clock.advance(999);
    expect([(await over(MAPS)).status, ending.received]).toEqual([200, []]);
    ending.clock.advance(1);
    await drained;
    await listener.close();
    await ending.server.close();
    expect(ending.received).toEqual(['drained', 'storage closed']);
  });

  it('completes when running requests are answered, and keeps the storage open until then', async () => {
    let enter = (): void => {};
    const entered = new Promise<void>((resolve) => {
      enter = resolve;
    });
    let leave = (): void => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const connect: ConnectHandler = async () => {
      enter();
      await left;
      const found = await ending.server.store.get('/namespaces/default');
      ending.received.push(`answered from ${found?.object.metadata.name}`);
      return { status: 200, headers: {}, body: new Uint8Array() };
    };
    const ending = await startServer({
      connect,
      resources: workloadResources(vocabulary),
      disabledAdmissionPlugins: ['ServiceAccount'],
    });
    const pods = ending.server.client
      .resource({ group: '', version: 'v1', resource: 'pods', kind: 'Pod' })
      .namespace('default');
    await pods.create({
      metadata: { name: 'p' },
      ...{ spec: { containers: [{ name: 'c', image: 'i' }] } },
    });
    const slow = statusOf(ending, '/api/v1/namespaces/default/pods/p/log');
    await entered;
    const closed = ending.server.close();
    await expect.poll(() => statusOf(ending, MAPS)).toBe(503);
    expect(ending.received).toEqual([]);
    leave();
    await closed;
    expect([await slow, ending.received]).toEqual([200, ['answered from default', 'storage closed']]);
  });

  it('refers new requests to other servers while those in flight are answered, if it is told to', async () => {
    const connect: ConnectHandler = () => new Promise(() => {});
    const resources = workloadResources(vocabulary);
    const ending = await startServer({ connect, resources, shutdownSendRetryAfter: true });
    void statusOf(ending, '/api/v1/namespaces/default/pods/p/log');
    const drained = ending.server.drain({ graceMilliseconds: 1000 });
    await expect.poll(() => statusOf(ending, MAPS)).toBe(429);
    expect([await statusOf(ending, '/readyz'), await statusOf(ending, '/livez')]).toEqual([500, 200]);
    ending.clock.advance(1000);
    await drained;
    expect(await statusOf(ending, MAPS)).toBe(200);
    const closed = ending.server.close({ graceMilliseconds: 1 });
    await expect.poll(() => statusOf(ending, MAPS)).toBe(503);
    ending.clock.advance(1);
    await closed;
  });

  it('waits ten seconds and no longer', async () => {
    const connect: ConnectHandler = () => new Promise(() => {});
    const ending = await startServer({ connect, resources: workloadResources(vocabulary) });
    void statusOf(ending, '/api/v1/namespaces/default/pods/p/log');
    const closed = ending.server.close();
    await expect.poll(() => statusOf(ending, MAPS)).toBe(503);
    ending.clock.advance(9_999);
    expect(ending.received).toEqual([]);
    ending.clock.advance(1);
    await closed;
    expect(ending.received).toEqual(['storage closed']);
  });
});
