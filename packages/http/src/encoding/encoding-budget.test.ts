import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BudgetedCache, EncodingBudget } from './encoding-budget.ts';

/** Counts its rotations, and has entries left for that many of them. */
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
  it('admits a generation, overhead included', () => {
    const budget = new EncodingBudget(2 * 1200 * 16);
    const one = holder();
    const accepted = Array.from({ length: 17 }, () => budget.reserve(one, 1000));
    expect([accepted.lastIndexOf(true), accepted.indexOf(false), one.turns]).toEqual([15, 16, 0]);
  });

  it('rotates all caches when an eighth of a generation was rejected', () => {
    const budget = new EncodingBudget(2 * 1200 * 16);
    const [one, other] = [holder(), holder()];
    for (let i = 0; i < 16; i++) budget.reserve(i % 2 ? one : other, 1000);
    const refused = [budget.reserve(one, 1000), budget.reserve(one, 1000)];
    expect([refused, one.turns, other.turns]).toEqual([[false, false], 0, 0]);
    expect([budget.reserve(one, 1000), one.turns, other.turns]).toEqual([true, 1, 1]);
  });

  it('does not rotate for entries that are cached already', () => {
    const budget = new EncodingBudget(2 * 1200);
    const one = holder();
    budget.reserve(one, 1000);
    for (let i = 0; i < 100; i++) expect(budget.renew(one, 1000)).toBe(false);
    expect(one.turns).toBe(0);
  });

  it('admits as much again as is released', () => {
    const budget = new EncodingBudget(2 * 1200);
    const one = holder();
    const admitted = Array.from({ length: 100 }, () => {
      const isAdmitted = budget.renew(one, 1000);
      budget.release(1000);
      return isAdmitted;
    });
    expect(admitted).not.toContain(false);
    expect([budget.renew(one, 1000), budget.renew(one, 1000)]).toEqual([true, false]);
  });

  it('forgets caches without entries', () => {
    const budget = new EncodingBudget(2 * 1200);
    const [gone, stays] = [holder(1), holder()];
    budget.reserve(gone, 100);
    budget.reserve(stays, 100);
    for (let i = 0; i < 50; i++) budget.reserve(stays, 1000);
    expect([gone.turns, stays.turns > 2]).toEqual([1, true]);
  });

  it('never admits more than a generation between two rotations', () => {
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
