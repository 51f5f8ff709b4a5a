import { sleep } from '@ashlar/core';
import { nodeClock } from '@ashlar/http-node';
import type { KeyValueStore } from '@ashlar/storage';
import { checkHistory } from '@ashlar/storage/testing';
import { createPostgresStore } from '@ashlar/storage-postgres';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startProxy } from '../../storage-etcd/src/client/cutting-proxy.fixture.ts';
import {
  NO_POSTGRES,
  type PostgresProcess,
  startPostgres,
} from '../../storage-postgres/src/postgres-process.fixture.ts';
import { FaultyRun } from './faulty-run.fixture.ts';
import { withWatchCache } from './with-watch-cache.ts';

let postgres: PostgresProcess;
beforeAll(async () => {
  if (!NO_POSTGRES) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());
beforeEach((context) => context.skip(NO_POSTGRES !== undefined, NO_POSTGRES));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const open = (schema: string, host = new URL(postgres.url).host): Promise<KeyValueStore> => {
  const url = new URL(postgres.url);
  url.host = host;
  return createPostgresStore({ connectionString: url.href, clock: nodeClock, schema, maximumConnections: 3 });
};
const replica = async (schema: string, host?: string): Promise<KeyValueStore> =>
  withWatchCache(await open(schema, host), { clock: nodeClock });

describe('replicas over one PostgreSQL, each with a cache', { timeout: 120_000 }, () => {
  test('writes acknowledged by one are seen by the next read of the other', async () => {
    await using a = await replica('next_read');
    await using b = await replica('next_read');
    for (let i = 0; i < 300; i++) {
      const [writer, reader] = i % 2 === 0 ? [a, b] : [b, a];
      const { revision } = await writer.put(`/k/${i % 7}`, bytes(`${i}`));
      const [entry, range] = await Promise.all([reader.get(`/k/${i % 7}`), reader.range('/k/')]);
      expect(entry?.revision).toBe(revision);
      expect(range.revision).toBeGreaterThanOrEqual(revision);
    }
  });

  test('stay linearizable over 10,000 operations while connections are cut and the database crashes', async () => {
    const { host } = new URL(postgres.url);
    let cut = 20_000;
    const cutAfter = (): number => (cut += 10_000);
    const proxies = [
      await startProxy(`http://${host}`, cutAfter),
      await startProxy(`http://${host}`, cutAfter),
    ];
    await using direct = await open('faults');
    const hosts = proxies.map(({ url }) => new URL(url).host);
    await using a = await replica('faults', hosts[0]);
    await using b = await replica('faults', hosts[1]);
    const run = new FaultyRun(await direct.currentRevision(), direct);
    let over = false;
    const crashes = (async () => {
      for (let crash = 0; crash < 2 && !over; crash++) {
        await sleep(nodeClock, 1500);
        await postgres.stop();
        await postgres.start();
      }
    })();
    await Promise.all(
      Array.from({ length: 10 }, (_, worker) => run.work(worker % 2 === 0 ? a : b, worker, 500)),
    );
    over = true;
    await crashes;
    await run.settle(direct);
    expect(checkHistory(run.operations, run.events)).toEqual([]);
    expect(run.answered).toBeGreaterThan(2500);
    for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
  });

  test('watches go on after a crash of the database, and leases end', async () => {
    await using store = await open('crash');
    const received: string[] = [];
    const failures: Error[] = [];
    store.watch(
      '/k/',
      { afterRevision: await store.currentRevision() },
      {
        events: (events) => received.push(...events.map(({ type, key }) => `${type} ${key}`)),
        error: (error) => failures.push(error),
      },
    );
    await store.put('/k/before', bytes('x'));
    await store.put('/k/leased', bytes('x'), { leaseSeconds: 1 });
    await postgres.stop();
    await expect(store.put('/k/lost', bytes('x'))).rejects.toMatchObject({ code: 503 });
    await expect(store.get('/k/before')).rejects.toMatchObject({ code: 503 });
    await postgres.start();
    await store.put('/k/after', bytes('x'));
    while (received.length < 4) await sleep(nodeClock, 20);
    expect([...received].sort()).toEqual([
      'delete /k/leased',
      'put /k/after',
      'put /k/before',
      'put /k/leased',
    ]);
    expect(failures).toEqual([]);
  });

  test('stores that open at once make one set of tables; tables of others or of a newer format are refused', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => open('at_once')));
    await Promise.all(stores.map((store, i) => store.put(`/${i}`, bytes(''))));
    expect(await stores[0]?.currentRevision()).toBe(5);
    for (const store of stores) await store[Symbol.asyncDispose]();
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query('UPDATE at_once.format SET version = 99');
    await client.query('CREATE SCHEMA other');
    await client.query('CREATE TABLE other.changes (id int)');
    await client.end();
    await expect(open('at_once')).rejects.toMatchObject({ fault: 'newer-format' });
    await expect(open('other')).rejects.toMatchObject({ fault: 'foreign' });
  });
});
