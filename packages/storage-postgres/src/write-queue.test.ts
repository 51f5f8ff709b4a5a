import { setImmediate } from 'node:timers/promises';
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
  const queue = new WriteQueue(
    (parameters) =>
      new Promise((resolve, reject) => {
        calls.push({ parameters, answer: resolve, fail: reject });
      }),
  );
  const put = (key: string, value: string) =>
    queue.write({ key, value: bytes(value), ifRevision: undefined, leaseSeconds: undefined });
  return { queue, calls, put };
}

test('writes that arrive during a call are the next call', async () => {
  const { calls, put } = queueOf();
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
});

test('a call that fails fails its writes, and not those after it', async () => {
  const { calls, put } = queueOf();
  const failing = put('/a', 'one');
  await setImmediate();
  const later = put('/b', 'two');
  calls[0]?.fail(new Error('lost'));
  await expect(failing).rejects.toThrow('lost');
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
