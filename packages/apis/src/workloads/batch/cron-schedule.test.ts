import { runAtOnce } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scheduleErrorSteps } from './cron-schedule.ts';

describe('a cron schedule', () => {
  it.each([
    '* * * * *',
    '*/5 0-23/2 1,15 JAN-mar mon',
    '? ? ? ? ?',
    '0 0 29 2 *',
    '@daily',
    '@every 1h30m',
    '@every -1h',
    '@every .5h',
    '@every 0',
    'TZ=UTC 0 0 * * *',
  ])('may be %s', (schedule) => {
    expect(runAtOnce(scheduleErrorSteps(schedule))).toBeUndefined();
  });

  it.each([
    ['', 'empty spec string'],
    [' @daily', 'expected exactly 5 fields, found 1: [@daily]'],
    ['TZ=../a * * * * *', 'provided bad location ../a: time: invalid location name'],
    ['TZ=a  @daily', 'provided bad location a: unknown time zone a'],
    [' ', 'expected exactly 5 fields, found 0: []'],
    ['TZ=UTC ', 'expected exactly 5 fields, found 0: []'],
    ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['@daily ', 'unrecognized descriptor: @daily '],
    ['@every\t1h', 'unrecognized descriptor: @every\t1h'],
    ['@every  1h', 'failed to parse duration @every  1h: time: invalid duration " 1h"'],
    ['@every 1h1', 'failed to parse duration @every 1h1: time: missing unit in duration "1h1"'],
    ['@every 1h ', 'failed to parse duration @every 1h : time: unknown unit "h " in duration "1h "'],
    ['@every 9999999h', 'failed to parse duration @every 9999999h: time: invalid duration "9999999h"'],
    ['@sometimes', 'unrecognized descriptor: @sometimes'],
  ])('cannot be %s', (schedule, why) => {
    expect(runAtOnce(scheduleErrorSteps(schedule))).toBe(why);
  });

  it.each([
    ['numbers', `${'1,'.repeat(100_000)}1 * * * *`, undefined],
    ['words', 'a '.repeat(100_000), `expected exactly 5 fields, found 100000: [${'a '.repeat(99_999)}a]`],
  ])('of %s by the hundred thousand is read with pauses', (_, schedule, why) => {
    const steps = scheduleErrorSteps(schedule);
    let pauses = 0;
    let last = steps.next();
    for (; !last.done; last = steps.next()) pauses++;
    expect(last.value).toBe(why);
    expect(pauses).toBeGreaterThan(90);
  });

  it('is parsed or rejected for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => typeof (runAtOnce(scheduleErrorSteps(text)) ?? '') === 'string'),
    );
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
    fc.assert(
      fc.property(schedules, (fields) => runAtOnce(scheduleErrorSteps(fields.join(' '))) === undefined),
    );
  });
});
