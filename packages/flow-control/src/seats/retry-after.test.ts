import { expect, it } from 'vitest';
import { RetryAfter } from './retry-after.ts';

/** Rejects that many requests in each second. */
function rejectPerSecond(retryAfter: RetryAfter, counts: readonly number[], start = 1_000): void {
  counts.forEach((count, i) => {
    for (let j = 0; j < count; j++) retryAfter.reject((start + i) * 1000);
  });
}

it('begins with a second, and doubles while much is rejected, to 32 at most', () => {
  const retryAfter = new RetryAfter();
  rejectPerSecond(retryAfter, [2]);
  expect(retryAfter.seconds).toBe(1);
  rejectPerSecond(retryAfter, [5, 5, 5], 1_001);
  expect(retryAfter.seconds).toBe(2);
  rejectPerSecond(retryAfter, new Array<number>(200).fill(500), 1_004);
  expect(retryAfter.seconds).toBe(32);
});

it('falls by a second while little is rejected', () => {
  const retryAfter = new RetryAfter();
  rejectPerSecond(retryAfter, new Array<number>(10).fill(50));
  const highest = retryAfter.seconds;
  rejectPerSecond(retryAfter, [1], 5_000);
  expect(retryAfter.seconds).toBe(highest - 1);
});

it('does not count what was rejected long ago', () => {
  const retryAfter = new RetryAfter();
  rejectPerSecond(retryAfter, [0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 1]);
  expect(retryAfter.seconds).toBe(1);
});
