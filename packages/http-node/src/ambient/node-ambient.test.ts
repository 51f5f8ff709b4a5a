import { orchVocabulary, sleep } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { nodeAmbient } from './node-ambient.ts';

describe('nodeAmbient', () => {
  const { clock, random, vocabulary } = nodeAmbient(orchVocabulary);

  it('has the vocabulary', () => {
    expect(vocabulary).toBe(orchVocabulary);
  });

  it('has a monotonic clock', () => {
    const [before, after] = [clock.monotonic(), clock.monotonic()];
    expect(after).toBeGreaterThanOrEqual(before);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
  });

  it('calls back once, unless cleared, and never early for long delays', async () => {
    const calls: string[] = [];
    clock.setTimer(2 ** 40, () => calls.push('in decades')).clear();
    const deferred = clock.setTimer(2 ** 40, () => calls.push('in decades'));
    const cleared = clock.setTimer(1, () => calls.push('cleared'));
    cleared.clear();
    clock.setTimer(1, () => calls.push('called'));
    await sleep(clock, 20);
    deferred.clear();
    expect(calls).toEqual(['called']);
  });

  it('never returns the same bytes twice', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 2000; i++) {
      const length = 8 + (i % 300);
      const bytes = random.bytes(new Uint8Array(length));
      expect(bytes).toHaveLength(length);
      seen.add(Buffer.from(bytes.subarray(0, 8)).toString('hex'));
    }
    expect(seen.size).toBe(2000);
  });

  it('fills any length with random bytes', () => {
    const large = random.bytes(new Uint8Array(200_000));
    expect(new Set(large.subarray(190_000)).size).toBeGreaterThan(200);
  });
});
