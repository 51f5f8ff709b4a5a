import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BudgetedCache, EncodingBudget } from './encoding-budget.ts';

/** Counts its turns, and has something left for so many of them. */
function holder(lasts = Number.POSITIVE_INFINITY): BudgetedCache & { turns: number } {
  return {
    turns: 0,
    rotate() {
      this.turns++;
      return this.turns < lasts;
    },
  };
}

describe('EncodingBudget', () => {
  it('has room for a generation, with what keeping costs', () => {
    const budget = new EncodingBudget(2 * 1200 * 16);
    const one = holder();
    const taken = Array.from({ length: 17 }, () => budget.reserve(one, 1000));
    expect([taken.lastIndexOf(true), taken.indexOf(false), one.turns]).toEqual([15, 16, 0]);
  });

  it('turns for all who keep when an eighth of a generation was turned away', () => {
    const budget = new EncodingBudget(2 * 1200 * 16);
    const [one, other] = [holder(), holder()];
    for (let i = 0; i < 16; i++) budget.reserve(i % 2 ? one : other, 1000);
    const refused = [budget.reserve(one, 1000), budget.reserve(one, 1000)];
    expect([refused, one.turns, other.turns]).toEqual([[false, false], 0, 0]);
    expect([budget.reserve(one, 1000), one.turns, other.turns]).toEqual([true, 1, 1]);
  });

  it('does not turn for what is kept already', () => {
    const budget = new EncodingBudget(2 * 1200);
    const one = holder();
    budget.reserve(one, 1000);
    for (let i = 0; i < 100; i++) expect(budget.renew(one, 1000)).toBe(false);
    expect(one.turns).toBe(0);
  });

  it('forgets who keeps nothing any more', () => {
    const budget = new EncodingBudget(2 * 1200);
    const [gone, stays] = [holder(1), holder()];
    budget.reserve(gone, 100);
    budget.reserve(stays, 100);
    for (let i = 0; i < 50; i++) budget.reserve(stays, 1000);
    expect([gone.turns, stays.turns > 2]).toEqual([1, true]);
  });

  it('never lets more than a generation in between two turns', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3000 })), (sizes) => {
        const budget = new EncodingBudget(20_000);
        let young = 0;
        const keeper: BudgetedCache = {
          rotate: () => {
            young = 0;
            return true;
          },
        };
        for (const size of sizes) {
          if (budget.reserve(keeper, size)) young += size;
          expect(young).toBeLessThanOrEqual(budget.generation);
        }
      }),
    );
  });
});
