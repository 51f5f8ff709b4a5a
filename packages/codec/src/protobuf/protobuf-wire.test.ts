import { describe, expect, it } from 'vitest';
import { ReadBudget } from './protobuf-wire.ts';

describe('the entries of a map', () => {
  /** Adds an entry as reading one does: the entry and its fields are values. */
  function added(budget: ReadBudget, map: Record<string, string>, count: number): void {
    for (let i = 0; i < count; i++) {
      budget.addTo(map);
      budget.take(2);
      map[`k${i}`] = '';
    }
  }

  it('are at most as many as an object may have members in other encodings', () => {
    const budget = new ReadBudget(16_000);
    added(budget, {}, 2_000);
    expect(() => added(new ReadBudget(16_000), {}, 2_001)).toThrow('more than 2000 members in one object');
  });

  it('are counted for each map', () => {
    const budget = new ReadBudget(16_000);
    added(budget, {}, 1_900);
    added(budget, {}, 1_900);
    expect(() => added(budget, {}, 2_100)).toThrow('more than 2000 members in one object');
  });
});

describe('the fields that messages do not have', () => {
  it('are at most as long as defaults may be', () => {
    const budget = new ReadBudget();
    for (let i = 0; i < 1024; i++) budget.imply(512);
    expect(() => budget.imply(1)).toThrow('more than 524288 bytes of fields that are absent');
  });

  it('are not counted in documents that are trusted', () => {
    expect(() => new ReadBudget(Number.POSITIVE_INFINITY).imply(2 ** 30)).not.toThrow();
  });
});
