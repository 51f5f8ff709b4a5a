import { setImmediate } from 'node:timers/promises';
import { createSteppedClock } from '@ashlar/core/testing';
import { expect, test } from 'vitest';
import { type ChangedRow, RowFeed } from './row-feed.ts';

test('tells of a log that cannot be read once, and reads on when it can be', async () => {
  const clock = createSteppedClock(0);
  let failure: Error | undefined = new Error('permission denied');
  const errors: unknown[] = [];
  const changed: ChangedRow[] = [];
  using _feed = new RowFeed({
    source: {
      read: async (position) => {
        if (failure) throw failure;
        return { position: `${position}'`, rows: [{ name: position, namespace: '' }] };
      },
      listen: async () => ({ [Symbol.dispose]: () => {} }),
    },
    ...{ clock, position: 'p' },
    changed: (row) => changed.push(row),
    onError: (error) => errors.push(error),
  });
  const poll = async (): Promise<void> => {
    clock.advance(5000);
    await setImmediate();
  };
  await setImmediate();
  await poll();
  expect(errors).toEqual([failure]);
  failure = undefined;
  await poll();
  expect(changed).toEqual([{ name: 'p', namespace: '' }]);
  failure = new Error('gone');
  await poll();
  expect(errors.slice(1)).toEqual([failure]);
});
