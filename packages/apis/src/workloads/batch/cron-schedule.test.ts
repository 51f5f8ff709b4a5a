import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scheduleError } from './cron-schedule.ts';

describe('a cron schedule', () => {
  it.each([
    '* * * * *',
    '*/5 0-23/2 1,15 JAN-mar mon',
    '? ? ? ? ?',
    '0 0 29 2 *',
    '@daily',
    '@every 1h30m',
    'TZ=UTC 0 0 * * *',
  ])('may be %s', (schedule) => {
    expect(scheduleError(schedule)).toBeUndefined();
  });

  it.each([
    ['', 'empty spec string'],
    ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['@sometimes', 'unrecognized descriptor: @sometimes'],
  ])('cannot be %s', (schedule, why) => {
    expect(scheduleError(schedule)).toBe(why);
  });

  it('is parsed or rejected for any text', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof (scheduleError(text) ?? '') === 'string'));
  });

  it('accepts any numbers within bounds', () => {
    const field = (low: number, high: number) =>
      fc
        .tuple(
          fc.integer({ min: low, max: high }),
          fc.integer({ min: low, max: high }),
          fc.integer({ min: 1, max: 9 }),
        )
        .map(([a, b, step]) => `${Math.min(a, b)}-${Math.max(a, b)}/${step}`);
    const schedules = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6));
    fc.assert(fc.property(schedules, (fields) => scheduleError(fields.join(' ')) === undefined));
  });
});
