import { describe, expect, it } from 'vitest';
import { Retirement } from './retirement.ts';

describe('Retirement', () => {
  it('tells everybody once', () => {
    const retirement = new Retirement();
    let told = 0;
    retirement.whenRetired(() => told++);
    retirement.whenRetired(() => told++);
    retirement.retire();
    retirement.retire();
    expect(told).toBe(2);
  });

  it('tells at once who comes too late', () => {
    const retirement = new Retirement();
    retirement.retire();
    let told = 0;
    retirement.whenRetired(() => told++);
    expect(told).toBe(1);
  });

  it('forgets who does not want to know any more', () => {
    const retirement = new Retirement();
    let told = 0;
    retirement.whenRetired(() => told++)[Symbol.dispose]();
    retirement.retire();
    expect(told).toBe(0);
  });
});
