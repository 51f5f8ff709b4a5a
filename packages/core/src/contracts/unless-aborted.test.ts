import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { unlessAborted } from './unless-aborted.ts';

const never = (): Promise<never> => new Promise(() => {});
const listenersOf = ({ signal }: AbortController) => getEventListeners(signal, 'abort');

describe('unlessAborted', () => {
  it.each([
    ['immediate', () => 1],
    ['to come', () => Promise.resolve(1)],
  ])('returns a result that is %s, with a signal and without', async (_, ask) => {
    const stop = new AbortController();
    expect(await unlessAborted(ask, undefined)).toBe(1);
    expect(await unlessAborted(ask, stop.signal)).toBe(1);
    expect(listenersOf(stop)).toEqual([]);
  });

  it('does not call once the signal is aborted', async () => {
    let isAsked = false;
    const ask = () => {
      isAsked = true;
    };
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(unlessAborted(ask, signal)).rejects.toThrow('enough');
    expect(isAsked).toBe(false);
  });

  it('rejects with the reason of the signal, and removes its listener', async () => {
    const stop = new AbortController();
    const waiting = unlessAborted(never, stop.signal);
    expect(listenersOf(stop)).toHaveLength(1);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(listenersOf(stop)).toEqual([]);
  });

  it('ends when the callee aborts the signal', async () => {
    const stop = new AbortController();
    const ask = () => {
      stop.abort(new Error('enough'));
      return never();
    };
    await expect(unlessAborted(ask, stop.signal)).rejects.toThrow('enough');
  });

  it('rejects as the call rejects, and removes its listener', async () => {
    const stop = new AbortController();
    const thrown = () => {
      throw new Error('thrown');
    };
    await expect(unlessAborted(thrown, stop.signal)).rejects.toThrow('thrown');
    const rejected = () => Promise.reject(new Error('rejected'));
    await expect(unlessAborted(rejected, stop.signal)).rejects.toThrow('rejected');
    expect(listenersOf(stop)).toEqual([]);
  });

  it('leaves no unhandled rejection of a call that fails after the abort', async () => {
    const stop = new AbortController();
    let fail = (_: Error): void => {};
    const result = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const waiting = unlessAborted(() => result, stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
