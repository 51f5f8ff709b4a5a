import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentAmounts } from './recent-amounts.ts';

const HOUR = 3_600_000;

function recent(): { amounts: RecentAmounts; time: { now: number } } {
  const time = { now: 0 };
  const clock = { now: () => 0, monotonic: () => time.now, setTimer: () => ({ clear() {} }) };
  return { amounts: new RecentAmounts(clock, 5 * HOUR), time };
}

describe('RecentAmounts', () => {
  it('tells quantiles to one percent', () => {
    const amount = fc.double({ min: 1e-6, max: 1e4, noNaN: true });
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1 }), fc.constantFrom(0, 0.5, 0.9, 0.99, 1), (all, share) => {
        const { amounts } = recent();
        for (const each of all) amounts.observe(each);
        const exact = all.sort((a, b) => a - b)[Math.max(1, Math.ceil(share * all.length)) - 1] as number;
        const [found = 0] = amounts.quantiles([share]);
        expect(Math.abs(found / exact - 1)).toBeLessThan(0.0101);
      }),
    );
  });

  it('forgets what is older than its window, a part after the other', () => {
    const { amounts, time } = recent();
    for (let hour = 0; hour < 5; hour++) {
      time.now = hour * HOUR;
      amounts.observe(hour + 1);
    }
    const median = () => Math.round(amounts.quantiles([0.5])[0] ?? 0);
    expect(median()).toBe(3);
    time.now = 6 * HOUR;
    expect(median()).toBe(4);
    time.now = 8.5 * HOUR;
    expect(median()).toBe(5);
    time.now = 20 * HOUR;
    expect(amounts.quantiles([0.5, 0.9])).toEqual([Number.NaN, Number.NaN]);
    amounts.observe(2);
    expect(median()).toBe(2);
  });

  it('takes amounts that have no logarithm', () => {
    const { amounts } = recent();
    for (const amount of [0, -1]) amounts.observe(amount);
    expect(amounts.quantiles([1])[0]).toBeCloseTo(0, 8);
  });
});
