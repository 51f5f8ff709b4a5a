import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ageChangesAt,
  ageStart,
  ageText,
  ageTextSince,
  humanDuration,
  shortHumanDuration,
} from './human-duration.ts';

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;
const YEAR = 365n * DAY;

describe('humanDuration', () => {
  it.each([
    [-2n * SECOND, '<invalid>', '<invalid>'],
    [-SECOND, '0s', '0s'],
    [0n, '0s', '0s'],
    [119n * SECOND, '119s', '1m'],
    [2n * MINUTE, '2m', '2m'],
    [2n * MINUTE + SECOND, '2m1s', '2m'],
    [10n * MINUTE + SECOND, '10m', '10m'],
    [3n * HOUR - 1n, '179m', '2h'],
    [3n * HOUR, '3h', '3h'],
    [3n * HOUR + MINUTE, '3h1m', '3h'],
    [8n * HOUR + MINUTE, '8h', '8h'],
    [47n * HOUR, '47h', '1d'],
    [2n * DAY + HOUR, '2d1h', '2d'],
    [8n * DAY + HOUR, '8d', '8d'],
    [YEAR, '365d', '1y'],
    [2n * YEAR, '2y', '2y'],
    [2n * YEAR + DAY, '2y1d', '2y'],
    [8n * YEAR + DAY, '8y', '8y'],
  ])('prints %d nanoseconds as %s', (nanoseconds, text, short) => {
    expect(humanDuration(nanoseconds)).toBe(text);
    expect(shortHumanDuration(nanoseconds)).toBe(short);
  });

  it('has at most two parts', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 63n - 1n), (nanoseconds) => {
        expect(humanDuration(nanoseconds)).toMatch(/^\d+[smhdy](\d+[smhd])?$/);
        expect(shortHumanDuration(nanoseconds)).toMatch(/^\d+[smhdy]$/);
      }),
    );
  });
});

describe('ageText', () => {
  const now = Date.UTC(2024, 0, 2, 0, 0, 0);

  it('prints the time since a timestamp', () => {
    expect(ageText('2024-01-01T23:00:00Z', now)).toBe('60m');
    expect(ageText('2024-01-01T23:58:30+00:00', now + 0.7)).toBe('90s');
  });

  it('prints <unknown> without a time', () => {
    expect([undefined, null, '', 'x'].map((since) => ageText(since, now))).toEqual(
      new Array(4).fill('<unknown>'),
    );
  });

  it('prints <invalid> for the future', () => {
    expect(ageText('2024-01-02T00:00:10Z', now)).toBe('<invalid>');
  });
});

describe('ageChangesAt', () => {
  const start = Date.UTC(2024, 0, 2, 0, 0, 0);
  const since = '2024-01-02T00:00:00Z';

  it('returns a time before which the text does not change', () => {
    const ages = fc.integer({ min: 0, max: 12 * 365 * 24 * 3600 * 1000 });
    fc.assert(
      fc.property(ages, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (age, part) => {
        const now = start + age;
        const changes = ageChangesAt(start, now);
        const before = now + Math.floor(part * (changes - now));
        expect([changes > now, ageText(since, before)]).toEqual([true, ageText(since, now)]);
      }),
    );
  });

  it('counts seconds, minutes, hours and days', () => {
    const until = (age: number): number => ageChangesAt(start, start + age) - start;
    const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
    expect([until(0), until(minute * 10), until(hour * 8), until(day * 8)]).toEqual([
      1000,
      minute * 11,
      hour * 9,
      day * 9,
    ]);
  });

  it('is infinity without a time, and now for the future', () => {
    expect([undefined, null, '', 'x'].map((absent) => ageChangesAt(ageStart(absent), start))).toEqual(
      new Array(4).fill(Number.POSITIVE_INFINITY),
    );
    expect(ageChangesAt(start, start - 1500)).toBe(start - 1500);
  });
});

describe('ageTextSince', () => {
  it('is the human duration of whole milliseconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 2 ** 48 }), (age) => {
        expect(ageTextSince(0, age)).toBe(humanDuration(BigInt(age) * 1_000_000n));
      }),
    );
  });
});
