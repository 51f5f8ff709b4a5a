import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { createStorageCheck } from './storage-check.ts';

describe('the check of a storage', () => {
  it('sends a request each time if the storage answers synchronously', () => {
    let asked = 0;
    const check = createStorageCheck({ request: () => ++asked }, createSteppedClock());
    for (let i = 0; i < 3; i++) expect(check()).toBeUndefined();
    expect(asked).toBe(3);
  });

  it('sends one request a second for all callers', async () => {
    const clock = createSteppedClock();
    let asked = 0;
    const check = createStorageCheck({ request: async () => ++asked }, clock);
    await Promise.all([check(), check()]);
    clock.advance(999);
    await check();
    expect(asked).toBe(1);
    clock.advance(1);
    await check();
    expect(asked).toBe(2);
    expect(clock.pending()).toEqual([]);
  });

  it('fails with the storage, and recovers with it', async () => {
    const clock = createSteppedClock();
    let fails = true;
    const currentRevision = async (): Promise<number> => {
      if (fails) throw new Error('no leader');
      return 1;
    };
    const check = createStorageCheck({ request: currentRevision }, clock);
    await expect(check()).rejects.toThrow('no leader');
    fails = false;
    clock.advance(1000);
    await expect(check()).resolves.toBeUndefined();
  });

  it('waits two seconds', async () => {
    const clock = createSteppedClock();
    const check = createStorageCheck({ request: () => new Promise(() => {}) }, clock);
    const result = check();
    clock.advance(2000);
    await expect(result).rejects.toThrow('the storage does not answer in time');
  });
});
