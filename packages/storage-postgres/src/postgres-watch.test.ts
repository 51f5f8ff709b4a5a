import { setImmediate } from 'node:timers/promises';
import { type KeyValueEvent, RevisionCompactedError } from '@ashlar/storage';
import { expect, test } from 'vitest';
import { CHANGES_AT_ONCE } from './change-feed.ts';
import { PostgresWatch, type PostgresWatchOptions } from './postgres-watch.ts';
import type { ChangeRow } from './rows.ts';

const put = (revision: number, key = `/a/${revision}`): KeyValueEvent => ({
  type: 'put',
  key,
  revision,
  entry: { key, value: Buffer.from('x'), revision, memo: undefined },
  memo: undefined,
});

/** Rows of a read: the newest revision, and changes of the prefix. */
const rows = (newest: number, ...changes: number[]): readonly ChangeRow[] =>
  changes.length === 0
    ? [[String(newest), '1', null, '', null, null, null]]
    : changes.map((revision) => {
        return [String(newest), '1', String(revision), `/a/${revision}`, Buffer.from('x'), null, null];
      });

function watchOf(afterRevision: number, overrides: Partial<PostgresWatchOptions> = {}) {
  const reads: ((rows: readonly ChangeRow[]) => void)[] = [];
  const seen: number[] = [];
  const errors: Error[] = [];
  const watch = new PostgresWatch({
    prefix: '/a/',
    afterRevision,
    observer: {
      events: (events) => seen.push(...events.map(({ revision }) => revision)),
      error: (error) => errors.push(error),
    },
    read: () => new Promise((resolve) => reads.push(resolve)),
    pause: async () => {},
    feedPosition: () => 0,
    toError: (error) => error as Error,
    isPassing: () => false,
    ended: () => {},
    ...overrides,
  });
  return { watch, reads, seen, errors };
}

test('changes that the feed delivers during the read of the past follow it', async () => {
  const { watch, reads, seen } = watchOf(1);
  await setImmediate();
  watch.receive([put(3), put(4, '/b/4'), put(5)]);
  reads[0]?.(rows(3, 2, 3));
  await setImmediate();
  expect(reads).toHaveLength(1);
  watch.receive([put(6)]);
  expect(seen).toEqual([2, 3, 5, 6]);
});

test('what the feed has lost during the read of the past is read again', async () => {
  const { watch, reads, seen, errors } = watchOf(1);
  await setImmediate();
  watch.lose(new RevisionCompactedError(3, 6));
  watch.receive([put(7)]);
  reads[0]?.(rows(3, 2, 3));
  await setImmediate();
  expect(seen).toEqual([2, 3]);
  reads[1]?.(rows(7, 5, 7));
  await setImmediate();
  watch.receive([put(8)]);
  expect(seen).toEqual([2, 3, 5, 7, 8]);
  expect(errors).toEqual([]);
});

test('a compaction between two pages of the past ends the watch as expired, after what was read', async () => {
  const { reads, seen, errors } = watchOf(1);
  await setImmediate();
  const page = Array.from({ length: CHANGES_AT_ONCE }, (_, i) => i + 2);
  reads[0]?.(rows(2000, ...page));
  await setImmediate();
  reads[1]?.([['2000', '1500', '1501', '/a/1501', Buffer.from('x'), null, null]]);
  await setImmediate();
  expect(seen).toEqual(page);
  expect(errors).toEqual([expect.any(RevisionCompactedError)]);
  expect(errors[0]).toMatchObject({ oldest: 1500 });
});

test('waiting for the past of a watch ends when an attempt to read it fails, or the watch is disposed', async () => {
  const unreachable = watchOf(1, {
    read: () => Promise.reject(new Error('no connection')),
    isPassing: () => true,
    pause: () => new Promise(() => {}),
  });
  await unreachable.watch.attempted;
  expect([unreachable.errors, unreachable.watch.delivered]).toEqual([[], undefined]);
  const { watch, reads } = watchOf(1);
  await setImmediate();
  watch[Symbol.dispose]();
  reads[0]?.(rows(3, 2, 3));
  await watch.attempted;
});
