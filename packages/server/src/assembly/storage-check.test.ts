import { createManualClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { createStorageCheck } from './storage-check.ts';

describe('the check of a storage', () => {
  it('asks each time where the answer is at hand', () => {
    let asked = 0;
    const check = createStorageCheck({ ask: () => ++asked }, createManualClock());
    for (let i = 0; i < 3; i++) expect(check()).toBeUndefined();
    expect(asked).toBe(3);
  });

  it('asks once a second for all who want to know', async () => {
    const clock = createManualClock();
    let asked = 0;
    const check = createStorageCheck({ ask: async () => ++asked }, clock);
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
    const clock = createManualClock();
    let fails = true;
    const currentRevision = async (): Promise<number> => {
      if (fails) throw new Error('no leader');
      return 1;
    };
    const check = createStorageCheck({ ask: currentRevision }, clock);
    await expect(check()).rejects.toThrow('no leader');
    fails = false;
    clock.advance(1000);
    await expect(check()).resolves.toBeUndefined();
  });

  it('waits two seconds', async () => {
    const clock = createManualClock();
    const check = createStorageCheck({ ask: () => new Promise(() => {}) }, clock);
    const answer = check();
    clock.advance(2000);
    await expect(answer).rejects.toThrow('the storage does not answer in time');
  });
});
