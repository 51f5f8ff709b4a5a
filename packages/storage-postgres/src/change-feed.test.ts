import { setImmediate } from 'node:timers/promises';
import { createSteppedClock } from '@ashlar/core/testing';
import type { KeyValueEvent } from '@ashlar/storage';
import { expect, test } from 'vitest';
import { ChangeFeed } from './change-feed.ts';
import type { ChangeRow } from './rows.ts';

const bytes = Buffer.from('x');

const put = (revision: number): KeyValueEvent => ({
  type: 'put',
  key: `/${revision}`,
  revision,
  entry: { key: `/${revision}`, value: bytes, revision, memo: undefined },
  memo: undefined,
});

/** A database whose changes a test makes; every revision is one. */
function feedOf(position: number) {
  const clock = createSteppedClock(0);
  const reads: { after: number; answer: (newest: number) => void }[] = [];
  const seen: number[] = [];
  let notify = (): void => {};
  const feed = new ChangeFeed(
    {
      read: (after) =>
        new Promise((resolve) => {
          const rows = (newest: number): readonly ChangeRow[] => {
            const state = [String(newest), '1'] as const;
            const revisions = Array.from({ length: newest - after }, (_, i) => String(after + 1 + i));
            if (revisions.length === 0) return [[...state, null, '', null, null, null]];
            return revisions.map((revision) => [...state, revision, `/${revision}`, bytes, null, null]);
          };
          reads.push({ after, answer: (newest) => resolve(rows(newest)) });
        }),
      listen: async (notified) => {
        notify = notified;
        return { [Symbol.dispose]: () => {} };
      },
    },
    clock,
    { changes: (events) => seen.push(...events.map(({ revision }) => revision)), lost: () => {} },
    position,
  );
  return { feed, reads, seen, notify: () => notify() };
}

/** A feed that has read what there was when it connected. */
async function connected(position: number) {
  const all = feedOf(position);
  await setImmediate();
  all.reads[0]?.answer(position);
  await setImmediate();
  return all;
}

test('changes of this server are delivered without reading them', async () => {
  const { feed, reads, seen } = await connected(1);
  feed.take([put(2), put(3)]);
  feed.take([put(4)]);
  expect(seen).toEqual([2, 3, 4]);
  expect(feed.position).toBe(4);
  expect(reads).toHaveLength(1);
});

test('changes of others before those of this server are read', async () => {
  const { feed, reads, seen } = await connected(1);
  feed.take([put(3)]);
  expect(seen).toEqual([]);
  expect(reads[1]?.after).toBe(1);
  reads[1]?.answer(3);
  await setImmediate();
  expect(seen).toEqual([2, 3]);
});

test('what a read finds too is delivered once', async () => {
  const { feed, reads, seen, notify } = await connected(1);
  notify();
  feed.take([put(2), put(3)]);
  reads[1]?.answer(4);
  await setImmediate();
  feed.take([put(4), put(5)]);
  expect(seen).toEqual([2, 3, 4, 5]);
  expect(feed.position).toBe(5);
});

test('a read that began earlier does not move the position back', async () => {
  const { feed, reads, seen, notify } = await connected(1);
  notify();
  feed.take([put(2), put(3)]);
  reads[1]?.answer(2);
  await setImmediate();
  expect([feed.position, seen]).toEqual([3, [2, 3]]);
});
