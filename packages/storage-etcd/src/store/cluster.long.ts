import { setTimeout as sleep } from 'node:timers/promises';
import { StatusError } from '@ashlar/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type EtcdProcess,
  etcdProgram,
  NO_ETCD,
  startCluster,
  startEtcd,
} from '../client/etcd-process.fixture.ts';
import { callMember, leadershipMethod } from '../client/raw-call.fixture.ts';
import { createEtcdStore } from './create-etcd-store.ts';
import type { EtcdStore } from './etcd-store.ts';
import { WatchLog } from './watch-log.fixture.ts';

let members: EtcdProcess[] = [];
beforeAll(async () => {
  if (etcdProgram) members = await startCluster(3);
});
afterAll(async () => {
  for (const member of members) await member[Symbol.asyncDispose]();
});
beforeEach((context) => context.skip(!etcdProgram, NO_ETCD));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const open = (prefix: string): Promise<EtcdStore> =>
  createEtcdStore({
    endpoints: members.map((member) => member.url),
    prefix,
    openMilliseconds: 20_000,
    requestMilliseconds: 2500,
  });

async function leaderIndex(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    for (const [i, { url }] of members.entries()) {
      const outcome = await callMember(url, leadershipMethod, {}).catch(() => undefined);
      if (outcome && outcome.leader !== 0n && outcome.leader === outcome.header?.member) return i;
    }
    await sleep(50);
  }
  throw new Error('no member says that it leads');
}

/** Writes until stopped; errors must be the right ones. */
class Writing {
  readonly acknowledged: Map<string, number> = new Map();
  refused: number = 0;
  #goesOn: boolean = true;
  readonly #done: Promise<unknown>;

  constructor(store: EtcdStore, writers: number) {
    this.#done = Promise.all(Array.from({ length: writers }, (_, writer) => this.#write(store, writer)));
  }

  async stop(): Promise<void> {
    this.#goesOn = false;
    await this.#done;
  }

  async #write(store: EtcdStore, writer: number): Promise<void> {
    for (let i = 0; this.#goesOn; i++) {
      const key = `/a/${writer}.${i}`;
      try {
        const result = await store.put(key, bytes(key), { ifRevision: 0 });
        expect(result.ok).toBe(true);
        this.acknowledged.set(key, result.revision);
      } catch (error) {
        expect(error).toBeInstanceOf(StatusError);
        const { code, details } = error as StatusError;
        expect([503, 504]).toContain(code);
        expect(details?.retryAfterSeconds).toBeGreaterThan(0);
        this.refused++;
        await sleep(20);
      }
      await sleep(2);
    }
  }
}

describe('a cluster of three', { timeout: 60_000 }, () => {
  test('loses its leader, twice: acknowledged writes survive, watches miss and repeat nothing', async () => {
    await using store = await open('/leaders');
    const base = await store.currentRevision();
    const log = new WatchLog(store, '/a/', base);
    const writing = new Writing(store, 4);
    for (let round = 0; round < 2; round++) {
      await sleep(300);
      const before = writing.acknowledged.size;
      const leader = members[await leaderIndex()] as EtcdProcess;
      await leader.stop();
      while (writing.acknowledged.size < before + 100) await sleep(20);
      await leader.start();
    }
    await writing.stop();
    const { revision: last } = await store.put('/a/end', bytes('end'));
    await log.reaches(last);
    const { entries } = await store.range('/a/');
    const there = new Map(entries.map((entry) => [entry.key, entry.revision]));
    for (const [key, revision] of writing.acknowledged) expect(there.get(key), key).toBe(revision);
    expect(log.revisions).toEqual(entries.map((entry) => entry.revision).sort((a, b) => a - b));
    log[Symbol.dispose]();
  });

  test('has a paused member: calls go to the others in time', async ({ onTestFinished }) => {
    const leader = await leaderIndex();
    const first = members[(leader + 1) % 3] as EtcdProcess;
    const rest = members.filter((member) => member !== first);
    onTestFinished(() => first.resume());
    await using store = await createEtcdStore({
      endpoints: [first, ...rest].map(({ url }) => url),
      prefix: '/paused',
    });
    const { revision } = await store.put('/a/1', bytes('1'));
    const log = new WatchLog(store, '/a/', revision);
    first.pause();
    expect((await store.get('/a/1'))?.revision).toBe(revision);
    const { revision: last } = await store.put('/a/2', bytes('2'));
    await log.reaches(last);
    expect(log.revisions).toEqual([last]);
    log[Symbol.dispose]();
  });

  test('keeps two stores consistent with each other', async () => {
    await using one = await open('/both');
    await using other = await createEtcdStore({
      endpoints: members.map((member) => member.url).toReversed(),
      prefix: '/both',
    });
    for (let i = 0; i < 100; i++) {
      const [writer, reader] = i % 2 === 0 ? [one, other] : [other, one];
      const { revision } = await writer.put('/a/1', bytes(`${i}`));
      expect(await reader.currentRevision()).toBeGreaterThanOrEqual(revision);
      expect((await reader.get('/a/1'))?.revision).toBe(revision);
    }
  });
});

async function holds(url: string, key: string): Promise<boolean> {
  await using direct = await createEtcdStore({ endpoints: [url] });
  return (await direct.get(key)) !== undefined;
}

test('never writes to an endpoint of another cluster', { timeout: 30_000 }, async () => {
  await using one = await startEtcd(['--initial-cluster-token', 'one']);
  await using other = await startEtcd(['--initial-cluster-token', 'other']);
  await using store = await createEtcdStore({
    endpoints: [one.url, other.url],
    requestMilliseconds: 1500,
    connectMilliseconds: 1000,
  });
  await store.put('/a/1', bytes('1'));
  // a busy machine may not accept the connection to the first endpoint in time
  const [joined, foreign] = (await holds(one.url, '/a/1')) ? [one, other] : [other, one];
  expect(await holds(joined.url, '/a/1')).toBe(true);
  await joined.stop();
  const error = await Promise.resolve(store.put('/a/2', bytes('2'))).catch((error) => error);
  expect(error).toMatchObject({ code: 503, details: { retryAfterSeconds: 1 } });
  await using direct = await createEtcdStore({ endpoints: [foreign.url] });
  expect((await direct.range('')).entries).toEqual([]);
});
