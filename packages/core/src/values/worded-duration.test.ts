import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../errors/parse-error.ts';
import { parseDuration } from './duration.ts';
import { parseWordedDuration } from './worded-duration.ts';

const SECOND = 1_000_000_000n;
const DAY = 86_400n * SECOND;

describe('parseWordedDuration', () => {
  it.each([
    ['1h30m', 5_400n * SECOND],
    ['-1.5s', (-3n * SECOND) / 2n],
    ['3 days', 3n * DAY],
    ['P1D', DAY],
    ['PT1H30M', 5_400n * SECOND],
    ['2 weeks 1 x', 14n * DAY],
    ['1 min 2sec', 62n * SECOND],
    ['5 µs', 5_000n],
    ['1 MS', 1_000_000n],
    ['1000000 weeks', BigInt.asIntN(64, 7_000_000n * DAY)],
  ])('reads %j', (text, expected) => {
    expect(parseWordedDuration(text)).toBe(expected);
  });

  it.each([
    ['', 'unable to parse  as duration'],
    ['null', 'unable to parse null as duration'],
    ['3\u00a0days', 'unable to parse 3\u00a0days as duration'],
    ['µ1', 'unable to parse µ1 as duration'],
    ['1d99999999999999999999d', 'strconv.Atoi: parsing "99999999999999999999": value out of range'],
  ])('refuses %j', (text, message) => {
    expect(() => parseWordedDuration(text)).toThrow(new ParseError(message));
  });

  it('refuses what is longer than any duration, as parseDuration does', () => {
    const parts = (count: number): string => '1 s '.repeat(count);
    expect(parseWordedDuration(parts(2_500))).toBe(2_500n * SECOND);
    expect(() => parseWordedDuration(parts(2_501))).toThrow(/^unable to parse 1 s .* as duration$/);
  });

  it('reads the durations of parseDuration alike', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e6, max: 1e6 }),
        fc.constantFrom('ns', 'us', 'ms', 's', 'm', 'h'),
        (count, unit) => {
          expect(parseWordedDuration(`${count}${unit}`)).toBe(parseDuration(`${count}${unit}`));
        },
      ),
    );
  });
});
