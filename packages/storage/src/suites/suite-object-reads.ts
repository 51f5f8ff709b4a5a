import { StatusError } from '@ashlar/core';
import type { SteppedClock } from '@ashlar/core/testing';
import type { ObjectStore } from '../contracts/object-store.ts';
import { RecordIndex } from '../contracts/record-index.ts';
import type { ObjectRecord } from '../objects/object-record.ts';
import { assertEqual, assertFails } from './assertions.ts';
import { type ObjectSuite, removing, viewRecord, writing } from './object-suite-runner.ts';

/** Lists, pages, exact and minimum versions. */
export function defineObjectReadTests(suite: ObjectSuite): void {
  defineListTests(suite);
  defineVersionTests(suite);
}

const byData: RecordIndex = new RecordIndex('/t/', ({ object }) => [String(object.data)]);

const keysOf = (records: readonly ObjectRecord[]): string[] => records.map((record) => record.key);

function defineListTests({ check }: ObjectSuite): void {
  check('lists by key, in pages of one revision', async (store) => {
    for (const name of ['d', 'b', 'e', 'a', 'c']) await store.update(`/t/${name}`, writing(name, '1'));
    await store.update('/u/x', writing('x', '1'));
    const first = await store.list('/t/', { limit: 2 });
    assertEqual([keysOf(first.records), first.remaining], [['/t/a', '/t/b'], 3], 'the first page');
    await store.update('/t/c', removing);
    await store.update('/t/bb', writing('bb', '1'));
    const rest = await store.list('/t/', { after: '/t/b', atRevision: first.revision });
    assertEqual([keysOf(rest.records), rest.remaining], [['/t/c', '/t/d', '/t/e'], 0], 'the rest');
    assertEqual(rest.revision, first.revision, 'the revision of the rest');
    const now = await store.list('/t/');
    assertEqual(keysOf(now.records), ['/t/a', '/t/b', '/t/bb', '/t/d', '/t/e'], 'what is there now');
    assertEqual(now.revision, await store.currentRevision(), 'the revision of now');
  });

  check('lists what is selected, in pages of one revision', async (store) => {
    const name = (i: number): string => `n${100 + i}`;
    for (let i = 0; i < 150; i++) await store.update(`/t/${name(i)}`, writing(name(i), `${i % 50}`));
    const select = { conditions: [{ index: byData, anyOf: ['7', '8'] }] };
    const first = await store.list('/t/', { select, limit: 3 });
    assertEqual([keysOf(first.records), first.remaining], [['/t/n107', '/t/n108', '/t/n157'], 92], 'a page');
    await store.update('/t/n158', removing);
    await store.update('/t/n159', writing('n159', '8'));
    const rest = await store.list('/t/', { select, after: '/t/n157', atRevision: first.revision });
    assertEqual([keysOf(rest.records), rest.remaining], [['/t/n158', '/t/n207', '/t/n208'], 0], 'the rest');
    const matches = ({ object }: ObjectRecord): boolean => object.metadata.name !== 'n207';
    const now = await store.list('/t/', { select: { ...select, matches }, after: '/t/n157' });
    assertEqual(keysOf(now.records), ['/t/n159', '/t/n208'], 'what is selected now');
  });

  check('lists the objects as they were at a revision', async (store) => {
    const { record } = await store.update('/t/a', writing('a', '1'));
    await store.update('/t/a', writing('a', '2'));
    const revision = record?.revision as number;
    const past = await store.list('/t/', { atRevision: revision });
    assertEqual(past.records.map(viewRecord), [`/t/a=1@${revision}`], 'the past');
  });
}

/** Advances the time in small steps, with a write in each so that everything in between happens. */
async function pass(store: ObjectStore, clock: SteppedClock, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 250) {
    await store.update('/other/tick', writing('tick', `${passed}`));
    clock.advance(250);
  }
}

function defineVersionTests({ check }: ObjectSuite): void {
  check('waits for a version that is on its way', async (store) => {
    const awaited = (await store.currentRevision()) + 2;
    const got = store.get('/t/a', { notOlderThan: awaited });
    const listed = store.list('/t/', { notOlderThan: awaited });
    await store.update('/t/b', writing('b', '1'));
    await store.update('/t/a', writing('a', '1'));
    assertEqual(viewRecord(await got), `/t/a=1@${awaited}`, 'get');
    assertEqual(keysOf((await listed).records), ['/t/a', '/t/b'], 'list');
    assertEqual(
      viewRecord(await store.get('/t/a', { notOlderThan: 0 })),
      `/t/a=1@${awaited}`,
      'get of any version',
    );
  });

  check('rejects a version that is not reached within three seconds', async (store, _, clock) => {
    const awaited = (await store.currentRevision()) + 1000;
    const read = Promise.resolve(store.get('/t/a', { notOlderThan: awaited }));
    const failure = assertFails(() => read, StatusError, 'the read');
    await pass(store, clock, 4000);
    const error = await failure;
    assertEqual([error.code, error.details?.retryAfterSeconds], [504, 1], 'the code and the delay');
    const begin = `Timeout: Too large resource version: ${awaited}, current: `;
    assertEqual(error.message.slice(0, begin.length), begin, 'the message');
  });

  check('rejects an exact version in the future immediately', async (store) => {
    const current = await store.currentRevision();
    const list = () => store.list('/t/', { atRevision: current + 5 });
    const error = await assertFails(list, StatusError, 'the list');
    const message = `Timeout: Too large resource version: ${current + 5}, current: ${current}`;
    assertEqual([error.code, error.message], [504, message], 'the refusal');
  });

  check('rejects an exact version that has been compacted', async (store, { compact }) => {
    if (!compact) return;
    const { record } = await store.update('/t/a', writing('a', '1'));
    const revision = record?.revision as number;
    await store.update('/t/a', writing('a', '2'));
    await compact(revision + 1);
    const list = () => store.list('/t/', { atRevision: revision });
    const error = await assertFails(list, StatusError, 'the list');
    const message = 'The resourceVersion for the provided list is too old.';
    assertEqual([error.code, error.reason, error.message], [410, 'Expired', message], 'the refusal');
  });
}
