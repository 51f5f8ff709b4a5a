import { orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { LargeHeads } from './large-heads.ts';

/** Heads that wait until they are let go. */
function largeHeads() {
  const waiting: { taken: number | undefined; go: () => void }[] = [];
  const turns = {
    requestBegan: () => {},
    atEndOfTurn: () => {},
    pause: (taken?: number) => new Promise<void>((go) => waiting.push({ taken, go })),
  };
  const random = { bytes: (into: Uint8Array) => into };
  const heads = new LargeHeads({
    clock: createSteppedClock(),
    turns,
    random,
    vocabulary: orchVocabulary,
  });
  const begin = (url: number, size?: number) => {
    const headers = { get: () => undefined, all: () => [], entries: () => [], ...(size && { size }) };
    return heads.begin({ url: 'x'.repeat(url), headers });
  };
  return { begin, waiting };
}

describe('LargeHeads', () => {
  it('lets ordinary requests begin at once', () => {
    const { begin, waiting } = largeHeads();
    expect([begin(8_000, 8_000), begin(16_000), waiting.length]).toEqual([undefined, undefined, 0]);
  });

  it.each([
    ['target', 100_000, 100],
    ['header', 100, 100_000],
  ])('makes a request with a large %s wait for its turn', async (_, url, size) => {
    const { begin, waiting } = largeHeads();
    const turn = begin(url, size);
    expect(waiting).toHaveLength(1);
    waiting[0]?.go();
    await turn;
  });

  it('counts what reading the head took', () => {
    const { begin, waiting } = largeHeads();
    void begin(100_000);
    void begin(200_000);
    const [first = 0, second = 0] = waiting.map(({ taken }) => taken);
    expect(first).toBeGreaterThan(0);
    expect(second).toBeCloseTo(2 * first);
  });

  it('refuses those beyond the maximum, until others have begun', async () => {
    const { begin, waiting } = largeHeads();
    const turns = Array.from({ length: 200 }, () => begin(50_000));
    expect(() => begin(50_000)).toThrow('Too many requests');
    expect(begin(100)).toBeUndefined();
    waiting[0]?.go();
    await turns[0];
    expect(begin(50_000)).toBeDefined();
  });
});
