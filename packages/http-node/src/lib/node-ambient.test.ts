import { orchVocabulary, sleep } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { nodeAmbient } from './node-ambient.ts';

describe('nodeAmbient', () => {
  const { clock, random, vocabulary } = nodeAmbient(orchVocabulary);

  it('carries the vocabulary', () => {
    expect(vocabulary).toBe(orchVocabulary);
  });

  it('tells time that does not go back', () => {
    const [before, after] = [clock.monotonic(), clock.monotonic()];
    expect(after).toBeGreaterThanOrEqual(before);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
  });

  it('calls once, unless cleared, and never early for long delays', async () => {
    const calls: string[] = [];
    clock.setTimer(2 ** 40, () => calls.push('in decades')).clear();
    const later = clock.setTimer(2 ** 40, () => calls.push('in decades'));
    const cleared = clock.setTimer(1, () => calls.push('cleared'));
    cleared.clear();
    clock.setTimer(1, () => calls.push('called'));
    await sleep(clock, 20);
    later.clear();
    expect(calls).toEqual(['called']);
  });

  it('fills any length with random bytes', () => {
    const large = random.bytes(new Uint8Array(200_000));
    expect(new Set(large.subarray(190_000)).size).toBeGreaterThan(200);
  });
});
