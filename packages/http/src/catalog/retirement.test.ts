import { describe, expect, it } from 'vitest';
import { Retirement } from './retirement.ts';

describe('Retirement', () => {
  it('notifies every listener once', () => {
    const retirement = new Retirement();
    let received = 0;
    retirement.whenRetired(() => received++);
    retirement.whenRetired(() => received++);
    retirement.retire();
    retirement.retire();
    expect(received).toBe(2);
  });

  it('notifies late listeners immediately', () => {
    const retirement = new Retirement();
    retirement.retire();
    let received = 0;
    retirement.whenRetired(() => received++);
    expect(received).toBe(1);
  });

  it('does not notify listeners that were disposed', () => {
    const retirement = new Retirement();
    let received = 0;
    retirement.whenRetired(() => received++)[Symbol.dispose]();
    retirement.retire();
    expect(received).toBe(0);
  });
});
