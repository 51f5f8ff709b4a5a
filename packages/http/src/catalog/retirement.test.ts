import { describe, expect, it } from 'vitest';
import { Retirement } from './retirement.ts';

describe('Retirement', () => {
  it('notifies every listener once', () => {
    const retirement = new Retirement();
    let told = 0;
    retirement.whenRetired(() => told++);
    retirement.whenRetired(() => told++);
    retirement.retire();
    retirement.retire();
    expect(told).toBe(2);
  });

  it('notifies late listeners immediately', () => {
    const retirement = new Retirement();
    retirement.retire();
    let told = 0;
    retirement.whenRetired(() => told++);
    expect(told).toBe(1);
  });

  it('does not notify listeners that were disposed', () => {
    const retirement = new Retirement();
    let told = 0;
    retirement.whenRetired(() => told++)[Symbol.dispose]();
    retirement.retire();
    expect(told).toBe(0);
  });
});
