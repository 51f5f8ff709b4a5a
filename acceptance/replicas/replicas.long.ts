import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type CuttingProxy,
  startProxy,
} from '../../packages/storage-etcd/src/client/cutting-proxy.fixture.ts';
import { configMap, MAPS, type Replica, startReplica, versionOf } from './replica.fixture.ts';
import { ENGINES, type SharedDatabase } from './shared-database.fixture.ts';
import { WireWatch } from './wire-watch.fixture.ts';
import { Writing } from './writing.fixture.ts';

/** Shorter than the pauses of the tests: requests must be rejected while the database is unavailable. */
const PATIENCE = { requestMilliseconds: 1500, connectMilliseconds: 1000, openMilliseconds: 20_000 };

let names = 0;
const nextName = (): string => `replicas-${++names}`;

/** Two servers over one database. */
async function startPair(
  database: SharedDatabase,
  name: string,
  proxies: readonly CuttingProxy[] = [],
): Promise<[Replica, Replica]> {
  const start = (nth: number): Promise<Replica> => {
    const through = proxies[nth]?.url;
    return startReplica(database.open(name, { ...PATIENCE, ...(through && { through }) }));
  };
  return Promise.all([start(0), start(1)]);
}

/** The stored collection, read without any server. */
async function stored(database: SharedDatabase, name: string): Promise<Map<string, number>> {
  await using store = await database.open(name, { openMilliseconds: 20_000 });
  const { entries } = await store.range('/configmaps/default/');
  return new Map(entries.map(({ key, revision }) => [key.split('/').at(-1) as string, revision]));
}

/** A fault injected under the servers, and its repair. */
interface Fault {
  readonly name: string;
  /** Returns, for one way to the database, the bytes after which each connection is cut. */
  readonly cutAfter?: () => () => number | undefined;
  /** Whether it takes several members. */
  readonly needsMembers?: boolean;
  strike(database: SharedDatabase, writing: Writing, proxies: readonly CuttingProxy[]): Promise<void>;
}

/** Lengths of connections, until there were enough. */
function cuts(): () => number | undefined {
  let state = 5;
  let left = 25;
  // limited: what has accumulated during a cut arrives at once, and must fit between two of them
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return left-- > 0 ? 500 + (state % 10_000) : undefined;
  };
}

const FAULTS: readonly Fault[] = [
  {
    name: 'all of it is stopped, and started again',
    async strike(database, writing) {
      await database.stop();
      await writing.refused(8);
      await database.start();
    },
  },
  {
    // longer than timeouts of requests, pings and elections
    name: 'all of it is paused for longer than requests may take',
    async strike(database, writing) {
      database.pause();
      try {
        await writing.refused(8);
        await sleep(PATIENCE.requestMilliseconds + 2500);
      } finally {
        database.resume();
      }
    },
  },
  {
    name: 'the leader changes, twice',
    needsMembers: true,
    async strike(database, writing) {
      for (let round = 0; round < 2; round++) {
        await database.loseLeader?.(() => writing.more(30));
        await writing.more(30);
      }
    },
  },
  {
    name: 'connections to it are cut inside frames',
    cutAfter: cuts,
    async strike(_, writing, proxies) {
      while (proxies.some((proxy) => proxy.cuts < 10)) await writing.more(1);
    },
  },
];

describe.each(ENGINES)('two servers over one $name', ({ missing, start: startDatabase }) => {
  let database: SharedDatabase;
  beforeAll(async () => {
    if (!missing) database = await startDatabase(3);
  });
  afterAll(() => database?.[Symbol.asyncDispose]());
  beforeEach((context) => context.skip(missing !== undefined, missing));

  test("read each other's acknowledged writes immediately, in reads and lists", async () => {
    const [a, b] = await startPair(database, nextName());
    await using _a = a;
    await using _b = b;
    await a.send('POST', MAPS, configMap('shared', '0'));
    for (let i = 1; i <= 60; i++) {
      const [writer, reader] = i % 2 === 0 ? [a, b] : [b, a];
      const written = await writer.send('PUT', `${MAPS}/shared`, configMap('shared', `${i}`));
      const [read, list] = await Promise.all([
        reader.send('GET', `${MAPS}/shared`),
        reader.send('GET', MAPS),
      ]);
      expect([written.status, read.body.data.text]).toEqual([200, `${i}`]);
      expect(read.body.metadata.resourceVersion).toBe(written.body.metadata.resourceVersion);
      expect(versionOf(list.body)).toBeGreaterThanOrEqual(versionOf(written.body));
      expect(list.body.items.map(({ data }) => data.text)).toEqual([`${i}`]);
    }
  });

  test('accept a conflicting write once', async () => {
    const [a, b] = await startPair(database, nextName());
    await using _a = a;
    await using _b = b;
    for (let i = 0; i < 20; i++) {
      const made = await Promise.all([a, b].map((one) => one.send('POST', MAPS, configMap(`c${i}`, '0'))));
      expect(made.map(({ status }) => status).sort()).toEqual([201, 409]);
      const { body } = made.find(({ status }) => status === 201) as (typeof made)[0];
      const version = body.metadata.resourceVersion;
      const put = [a, b].map((one, j) =>
        one.send('PUT', `${MAPS}/c${i}`, configMap(`c${i}`, `${j + 1}`, version)),
      );
      expect((await Promise.all(put)).map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  test("continue each other's pages and watches", async () => {
    const [a, b] = await startPair(database, nextName());
    await using _a = a;
    await using _b = b;
    const names = Array.from({ length: 30 }, (_, i) => `m${10 + i}`);
    const made = await Promise.all(names.map((name) => a.send('POST', MAPS, configMap(name, '0'))));
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 201));
    const first = (await a.send('GET', `${MAPS}?limit=10`)).body;
    for (const name of names.filter((_, i) => i % 2 === 0)) await b.send('DELETE', `${MAPS}/${name}`);
    const page = (at: Replica, token: string) =>
      at.send('GET', `${MAPS}?limit=10&continue=${encodeURIComponent(token)}`);
    const second = (await page(b, first.metadata.continue)).body;
    const third = (await page(a, second.metadata.continue)).body;
    const listed = [first, second, third].flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
    expect(listed).toEqual(names);
    expect(new Set([first, second, third].map(versionOf)).size).toBe(1);
    const watch = new WireWatch(() => [a, b], first.metadata.resourceVersion);
    await watch.reaches(versionOf((await b.send('POST', MAPS, configMap('end', '0'))).body));
    expect(watch.received.map((text) => text.split('@')[0])).toEqual([
      ...names.filter((_, i) => i % 2 === 0).map((name) => `DELETED ${name}`),
      'ADDED end',
    ]);
    const middle = watch.events[7]?.object.metadata.resourceVersion as string;
    const other = new WireWatch(() => [b], middle);
    await other.reaches(versionOf(watch.events.at(-1)?.object as Parameters<typeof versionOf>[0]));
    expect(other.received).toEqual(watch.received.slice(8));
    await Promise.all([watch.close(), other.close()]);
  });

  test.for(FAULTS)(
    'when $name: no acknowledged write is lost, no watcher misses or repeats a change',
    async ({ cutAfter, needsMembers, strike }, context) => {
      context.skip(needsMembers === true && !database.loseLeader, 'it has one member only');
      const name = nextName();
      const address = await database.address();
      const proxies = cutAfter
        ? [await startProxy(address, cutAfter()), await startProxy(address, cutAfter())]
        : [];
      const [a, b] = await startPair(database, name, proxies);
      const start = (await a.send('GET', MAPS)).body.metadata.resourceVersion;
      const watches = [a, b].map((one) => new WireWatch(() => [one], start));
      const writing = new Writing([a.send, b.send], 4);
      await writing.more(20);
      await strike(database, writing, proxies);
      await writing.more(40);
      await writing.stop();
      const there = await stored(database, name);
      for (const [map, version] of writing.acknowledged) expect(there.get(map), map).toBe(version);
      // unacknowledged writes may have been made; they must have been requested
      expect(there.size).toBeLessThanOrEqual(writing.acknowledged.size + writing.refusals.length);
      const expected = [...there]
        .sort(([, x], [, y]) => x - y)
        .map(([name, version]) => `ADDED ${name}@${version}`);
      for (const watch of watches) {
        await watch.reaches(Math.max(...there.values()));
        await watch.close();
        expect(watch.failure).toBeUndefined();
        expect(watch.received).toEqual(expected);
      }
      for (const one of [a, b]) {
        const { body } = await one.send('GET', MAPS);
        expect(new Map(body.items.map((item) => [item.metadata.name, versionOf(item)]))).toEqual(there);
      }
      for (const one of [a, b, ...proxies]) await one[Symbol.asyncDispose]();
    },
  );

  test('when it is compacted under a watcher of a disconnected server, that gets an error, and lists again', async () => {
    const shared = nextName();
    await using proxy = await startProxy(await database.address(), () => undefined);
    const [a, b] = await startPair(database, shared, [proxy]);
    await using _a = a;
    await using _b = b;
    const first = (await b.send('POST', MAPS, configMap('m', '0'))).body;
    for (const name of ['n', 'o']) await b.send('POST', MAPS, configMap(name, '0'));
    const page = (await a.send('GET', `${MAPS}?limit=1`)).body;
    const watch = new WireWatch(() => [a], first.metadata.resourceVersion);
    await watch.reaches(versionOf(page));
    proxy.shut(true);
    for (let i = 1; i < 5; i++) await b.send('PUT', `${MAPS}/m`, configMap('m', `${i}`));
    await b.send('DELETE', `${MAPS}/n`);
    const last = (await b.send('PUT', `${MAPS}/m`, configMap('m', '5'))).body;
    await using store = await database.open(shared);
    await store.compact(versionOf(last));
    proxy.shut(false);
    await watch.reaches(versionOf(last));
    expect(watch.failure).toMatchObject({ code: 410, reason: 'Expired' });
    expect(watch.received.map((text) => text.split('@')[0])).toEqual(['ADDED n', 'ADDED o']);
    await watch.close();
    const anew = (await a.send('GET', MAPS)).body;
    expect(anew.items.map(({ metadata, data }) => [metadata.name, data.text])).toEqual([
      ['m', '5'],
      ['o', '0'],
    ]);
    const token = encodeURIComponent(page.metadata.continue);
    expect((await a.send('GET', `${MAPS}?limit=1&continue=${token}`)).body).toMatchObject({
      code: 410,
      reason: 'Expired',
      metadata: { continue: expect.any(String) },
    });
  });
});
