import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrongHostsAndPorts } from './hosts-and-ports.ts';

describe('hosts and ports', () => {
  it('are as a pattern tells, pair by pair', () => {
    const isPair = (pair: string): boolean => /^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair);
    const texts = fc.string({ unit: fc.constantFrom('a', ':', '[', ']', ',') });
    const expected = (text: string): number => text.split(',').filter((pair) => !isPair(pair)).length;
    fc.assert(
      fc.property(texts, (text) => {
        expect(wrongHostsAndPorts(text, Infinity)).toBe(expected(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('are counted up to a number', () => {
    expect(wrongHostsAndPorts(','.repeat(3_000_000), 101)).toBe(101);
  });
});
