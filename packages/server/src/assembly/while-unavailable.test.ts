import { StatusError } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { whileUnavailable } from './while-unavailable.ts';

const away = (code: number): StatusError =>
  new StatusError({ code, reason: 'Timeout', message: 'away', details: { retryAfterSeconds: 1 } });

/** Runs settled promises to completion. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

describe('work that needs the storage', () => {
  it('is retried while it is unavailable, with growing pauses', async () => {
    const clock = createSteppedClock();
    const failures = [away(503), away(504), away(429)];
    let attempts = 0;
    const done = whileUnavailable(
      async () => {
        attempts++;
        const failure = failures.shift();
        if (failure) throw failure;
        return 'done';
      },
      clock,
      new AbortController().signal,
    );
    for (const pause of [100, 200, 400]) {
      await settled();
      expect(clock.pending()).toEqual([pause]);
      clock.advance(pause);
    }
    expect([await done, attempts]).toEqual(['done', 4]);
  });

  it('fails immediately with an error that a retry does not fix', async () => {
    const clock = createSteppedClock();
    for (const error of [StatusError.notFound({ group: '', resource: 'namespaces' }, 'a'), new Error('x')]) {
      const failing = whileUnavailable(() => Promise.reject(error), clock, new AbortController().signal);
      await expect(failing).rejects.toBe(error);
    }
    expect(clock.pending()).toEqual([]);
  });

  it('is cancelled when the server closes', async () => {
    const closing = new AbortController();
    const failing = whileUnavailable(() => Promise.reject(away(503)), createSteppedClock(), closing.signal);
    await settled();
    closing.abort(new Error('closed'));
    await expect(failing).rejects.toThrow('closed');
  });
});
