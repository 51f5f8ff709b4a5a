import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDate, isDay, startOfDay } from './calendar.ts';

describe('calendar', () => {
  it('knows the number of days of each month', () => {
    fc.assert(
      fc.property(fc.nat(9999), fc.nat(13), fc.nat(32), (year, month, day) => {
        const date = new Date(0);
        date.setUTCFullYear(year, month - 1, day);
        const isThere = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
        expect(isDay(year, month, day)).toBe(isThere);
        if (isThere) expect(startOfDay(year, month, day)).toBe(date.getTime());
      }),
    );
  });

  it.each([
    ['2024-02-29', true],
    ['2023-02-29', false],
    ['2000-02-29', true],
    ['1900-02-29', false],
    ['2024-1-01', false],
    ['2024-01-01T', false],
    ['0000-01-01', true],
  ])('%s: %s', (text, is) => {
    expect(isDate(text)).toBe(is);
  });
});
