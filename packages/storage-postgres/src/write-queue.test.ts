import { setImmediate } from 'node:timers/promises';
import type { KeyValueEvent } from '@ashlar/storage';
import { expect, test } from 'vitest';
import { type WriteParameters, WriteQueue, type WrittenRow } from './write-queue.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Calls that a test answers. */
function queueOf() {
  const calls: {
    parameters: WriteParameters;
    answer: (rows: WrittenRow[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const changes: (readonly KeyValueEvent[])[] = [];
  let failures = 0;
  const queue = new WriteQueue({
    send: (parameters) =>
      new Promise((resolve, reject) => {
        calls.push({ parameters, answer: resolve, fail: reject });
      }),
    changed: (events) => changes.push(events),
    failed: () => failures++,
  });
  const put = (key: string, value: string) =>
    queue.write({ key, value: bytes(value), ifRevision: undefined, leaseSeconds: undefined });
  return { queue, calls, put, changes, failures: () => failures };
}

test('writes that arrive during a call are the next call', async () => {
  const { calls, put, changes } = queueOf();
  const first = put('/a', 'one');
  await setImmediate();
  const others = Promise.all([put('/b', 'two'), put('/c', '')]);
  await setImmediate();
  expect(calls.map(({ parameters }) => parameters[0])).toEqual([['/a']]);
  calls[0]?.answer([[true, '2', null, null]]);
  expect(await first).toMatchObject({ ok: true, revision: 2, entry: { key: '/a', revision: 2 } });
  await setImmediate();
  expect(calls[1]?.parameters.map(String)).toEqual(['/b,/c', 'two', '3,0', ',', ',']);
  calls[1]?.answer([
    [true, '3', null, null],
    [false, '3', '1', Buffer.from('was')],
  ]);
  expect(await others).toMatchObject([
    { ok: true, revision: 3 },
    { ok: false, revision: 3, current: { revision: 1, value: bytes('was') } },
  ]);
  await setImmediate();
  expect(changes).toMatchObject([
    [{ type: 'put', key: '/a', revision: 2, entry: { value: bytes('one') } }],
    [{ type: 'put', key: '/b', revision: 3, entry: { value: bytes('two') } }],
  ]);
});

test('changes have what was stored before, and the entries that writers get', async () => {
  const { calls, put, queue, changes } = queueOf();
  const update = put('/a', 'two');
  const removal = queue.write({ key: '/b', value: undefined, ifRevision: 3, leaseSeconds: undefined });
  await setImmediate();
  calls[0]?.answer([
    [true, '5', '2', Buffer.from('one')],
    [true, '6', '3', Buffer.from('gone')],
  ]);
  const [updated, removed] = [await update, await removal];
  expect(changes).toEqual([]);
  await setImmediate();
  const [[first, second] = []] = changes;
  expect(first).toMatchObject({ type: 'put', revision: 5, previous: { revision: 2, value: bytes('one') } });
  expect(first?.entry).toBe((updated as { entry?: unknown }).entry);
  expect(second).toMatchObject({
    type: 'delete',
    key: '/b',
    revision: 6,
    previous: { value: bytes('gone') },
  });
  expect(removed).toMatchObject({ ok: true, revision: 6, previous: { revision: 3 } });
});

test('a call that fails fails its writes, and not those after it', async () => {
  const { calls, put, failures } = queueOf();
  const failing = put('/a', 'one');
  await setImmediate();
  const later = put('/b', 'two');
  calls[0]?.fail(new Error('lost'));
  await expect(failing).rejects.toThrow('lost');
  expect(failures()).toBe(1);
  await setImmediate();
  calls[1]?.answer([[true, '2', null, null]]);
  await expect(later).resolves.toMatchObject({ ok: true });
});

test('a call has a limit of writes and of bytes', async () => {
  const { calls, put } = queueOf();
  for (let i = 0; i < 300; i++) void put(`/${i}`, 'x');
  await setImmediate();
  expect(calls[0]?.parameters[0]).toHaveLength(256);
  const large = queueOf();
  for (let i = 0; i < 3; i++) void large.put(`/${i}`, 'x'.repeat(3 * 1024 * 1024));
  await setImmediate();
  expect(large.calls[0]?.parameters[0]).toEqual(['/0']);
});
