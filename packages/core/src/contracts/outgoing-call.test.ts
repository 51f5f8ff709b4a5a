import { describe, expect, it } from 'vitest';
import { callForBytes, callOut } from './outgoing-call.ts';
import { callRepeatedly } from './repeated-call.ts';
import { createSteppedClock } from './stepped-clock.ts';
import type { Transport } from './transport.ts';

const URL = 'https://elsewhere.example/';
const GET = { method: 'GET' };
const random = { bytes: (into: Uint8Array) => into.fill(0) };

function answering(status: number, ...pieces: readonly string[]): Transport {
  const encoder = new TextEncoder();
  const stream = async function* () {
    for (const piece of pieces) yield encoder.encode(piece);
  };
  return {
    request: async () => ({
      ...{ status, headers: { a: 'b' }, stream },
      body: async () => encoder.encode(pieces.join('')),
    }),
  };
}

/** Never answers, and rejects when aborted, as a transport does. */
const silent: Transport = {
  request: (_, { signal }) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('socket closed')));
    }),
};

describe('callOut', () => {
  const clock = createSteppedClock();

  it('returns the response and leaves no timer', async () => {
    const { bytes, ...rest } = await callOut({ transport: answering(404, 'o', 'k'), clock }, URL, GET);
    expect(rest).toEqual({ status: 404, headers: { a: 'b' } });
    expect(new TextDecoder().decode(bytes)).toBe('ok');
    expect(clock.pending()).toEqual([]);
  });

  it('treats an error status as a failure if bytes are expected', async () => {
    const call = callForBytes({ transport: answering(404), clock }, URL, GET);
    await expect(call).rejects.toMatchObject({ name: 'RefusedCallError', status: 404 });
  });

  it('reads no more than its limit', async () => {
    const call = callOut({ transport: answering(200, 'abc', 'def'), clock, maximumBytes: 5 }, URL, GET);
    await expect(call).rejects.toMatchObject({ name: 'UnusableResponseError' });
    const whole = await callOut({ transport: answering(200, 'abc', 'de'), clock, maximumBytes: 5 }, URL, GET);
    expect(whole.bytes).toHaveLength(5);
  });

  it('fails with LateResponseError after its timeout', async () => {
    const call = callOut({ transport: silent, clock, timeoutMilliseconds: 10 }, URL, GET);
    clock.advance(10);
    await expect(call).rejects.toMatchObject({ name: 'LateResponseError' });
  });

  it('rejects with the reason of the signal', async () => {
    const stop = new AbortController();
    const call = callOut({ transport: silent, clock }, URL, { ...GET, signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await expect(callOut({ transport: silent, clock }, URL, { ...GET, signal: stop.signal })).rejects.toThrow(
      'enough',
    );
    expect(clock.pending()).toEqual([]);
  });
});

describe('repeatCall', () => {
  /** Makes the call until it succeeds, and returns the pauses between attempts. */
  async function pausesOf(status: number): Promise<readonly number[]> {
    const clock = createSteppedClock();
    const pauses: number[] = [];
    const transport = answering(status);
    const call = callRepeatedly({ clock, random }, () => callForBytes({ transport, clock }, URL, GET));
    let isDone = false;
    const done = call
      .catch(() => {})
      .finally(() => {
        isDone = true;
      });
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      const [pause] = clock.pending();
      if (pause === undefined) continue;
      pauses.push(pause);
      clock.advance(pause);
    }
    await done;
    return pauses;
  }

  it.each([429, 500, 503])('waits longer after each %i', async (status) => {
    expect(await pausesOf(status)).toEqual([500, 750, 1125, 1687.5]);
  });

  it.each([200, 400, 404])('does not retry after %i', async (status) => {
    expect(await pausesOf(status)).toEqual([]);
  });

  it('rejects when aborted during a pause', async () => {
    const clock = createSteppedClock();
    const stop = new AbortController();
    const broken = (): Promise<never> => Promise.reject(new Error('no network'));
    const call = callRepeatedly({ clock, random }, broken, stop.signal);
    while (clock.pending().length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});
