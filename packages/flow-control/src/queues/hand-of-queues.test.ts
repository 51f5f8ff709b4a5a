import fc from 'fast-check';
import { expect, it } from 'vitest';
import { handOfQueues } from './hand-of-queues.ts';

it('deals different queues, the same ones for the same flow', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 12 }),
      (flow, queues, size) => {
        const hand = handOfQueues(flow, queues, size);
        expect(new Set(hand).size).toBe(Math.min(size, queues));
        for (const index of hand) expect(index >= 0 && index < queues).toBe(true);
        expect(handOfQueues(flow, queues, size)).toEqual(hand);
      },
    ),
  );
});

it('spreads flows whose names are alike over all queues', () => {
  const dealt = new Array<number>(64).fill(0);
  for (let i = 0; i < 6_400; i++)
    for (const index of handOfQueues(`user-${i}`, 64, 1)) dealt[index] = (dealt[index] ?? 0) + 1;
  expect(Math.min(...dealt)).toBeGreaterThan(50);
  expect(Math.max(...dealt)).toBeLessThan(160);
});

it('seldom deals two flows the same hand', () => {
  const hands = Array.from({ length: 1_000 }, (_, i) => [...handOfQueues(`user-${i}`, 128, 6)].sort().join());
  expect(new Set(hands).size).toBe(1_000);
});
