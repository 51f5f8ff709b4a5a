import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readBody } from './request-body.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('readBody', () => {
  it('waits as long as the body keeps arriving, and no longer', async () => {
    const stream = new PassThrough();
    const { bytes } = readBody({ stream, length: undefined, silenceMilliseconds: 1000 }, 100);
    const outcome = bytes.catch(String);
    for (let i = 0; i < 10; i++) {
      stream.write('a');
      await turn();
      vi.advanceTimersByTime(999);
    }
    expect(stream.listenerCount('data')).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await outcome).toBe('StatusError: no part of the body of the request arrived for 1 seconds');
    expect(stream.listenerCount('data')).toBe(0);
  });

  it('is not read further in too many small pieces', async () => {
    const stream = new PassThrough();
    const { bytes } = readBody({ stream, length: undefined, silenceMilliseconds: 1000 }, 1_000_000);
    const outcome = bytes.catch(String);
    let written = 0;
    for (; stream.listenerCount('data') > 0 && written < 100_000; written++) {
      stream.write(written < 5000 ? 'a'.repeat(64) : 'a');
      if (written % 100 === 0) await turn();
    }
    expect(await outcome).toBe(
      'StatusError: Request entity too large: the body arrives in too many small pieces',
    );
    // 10,000, and one for each of the larger ones
    expect(written).toBeGreaterThan(15_000);
    expect(written).toBeLessThan(15_300);
  });

  it('leaves no timer after a complete body', async () => {
    const stream = new PassThrough();
    const { bytes } = readBody({ stream, length: 2, silenceMilliseconds: 1000 }, 100);
    stream.end('ab');
    expect(Buffer.from(await bytes).toString()).toBe('ab');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer when cancelled, and keeps what was received', async () => {
    const stream = new PassThrough();
    const { bytes, giveUp } = readBody({ stream, length: 2, silenceMilliseconds: 1000 }, 100);
    giveUp?.(new Error('enough'));
    await expect(bytes).rejects.toThrow('enough');
    expect([vi.getTimerCount(), stream.listenerCount('data')]).toEqual([0, 0]);
  });
});
