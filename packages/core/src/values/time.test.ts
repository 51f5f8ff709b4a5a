import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../errors/parse-error.ts';
import {
  fromJsonMicroTime,
  fromJsonTime,
  microTimeText,
  millisecondsOf,
  parseMicroTime,
  parseTime,
  printedTime,
  timestampOf,
  timeText,
} from './time.ts';

const LAYOUT = '2006-01-02T15:04:05Z07:00';
const MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';

describe('parseTime', () => {
  it.each([
    ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05+02:00', '2024-01-02T01:04:05Z'],
    ['2024-01-02T03:04:05-11:30', '2024-01-02T14:34:05Z'],
    ['2024-01-02T03:04:05+24:00', '2024-01-01T03:04:05Z'],
    ['2024-01-02T03:04:05.999Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05,5Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T3:04:05Z', '2024-01-02T03:04:05Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['0000-02-29T00:00:00Z', '0000-02-29T00:00:00Z'],
    ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59Z'],
    ['0000-01-01T00:00:00+01:00', '-0001-12-31T23:00:00Z'],
    ['9999-12-31T23:59:59-01:00', '10000-01-01T00:59:59Z'],
  ])('parses %s as %s', (text, printed) => {
    expect(timeText(parseTime(text))).toBe(printed);
  });

  it('parses what it prints like the same time with an offset', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), (seconds) => {
        const text = timeText({ seconds, nanoseconds: 0 });
        expect([parseTime(text), parseTime(text.replace('Z', '+00:00'))]).toEqual([
          { seconds, nanoseconds: 0 },
          { seconds, nanoseconds: 0 },
        ]);
      }),
    );
  });

  it('preserves the fraction', () => {
    expect(parseTime('1970-01-01T00:00:01.5Z')).toEqual({ seconds: 1, nanoseconds: 500_000_000 });
    expect(parseTime('1970-01-01T00:00:01.1234567899Z').nanoseconds).toBe(123_456_789);
  });

  it.each([
    ['', `parsing time "" as "${LAYOUT}": cannot parse "" as "2006"`],
    ['2024', `parsing time "2024" as "${LAYOUT}": cannot parse "" as "-"`],
    [
      '2024-1-02T03:04:05Z',
      `parsing time "2024-1-02T03:04:05Z" as "${LAYOUT}": cannot parse "1-02T03:04:05Z" as "01"`,
    ],
    ['2024-13-02T03:04:05Z', 'parsing time "2024-13-02T03:04:05Z": month out of range'],
    ['2023-02-29T03:04:05Z', 'parsing time "2023-02-29T03:04:05Z": day out of range'],
    ['2024-01-00T03:04:05Z', 'parsing time "2024-01-00T03:04:05Z": day out of range'],
    ['2024-01-02T24:00:00Z', 'parsing time "2024-01-02T24:00:00Z": hour out of range'],
    ['2024-01-02T03:60:00Z', 'parsing time "2024-01-02T03:60:00Z": minute out of range'],
    ['2024-01-02T03:04:60Z', 'parsing time "2024-01-02T03:04:60Z": second out of range'],
    ['2024-01-02T03:04:05Z ', 'parsing time "2024-01-02T03:04:05Z ": extra text: " "'],
    ['2024-01-02T03:04:05', `parsing time "2024-01-02T03:04:05" as "${LAYOUT}": cannot parse "" as "Z07:00"`],
    [
      '2024-01-02T03:04:05+25:00',
      'parsing time "2024-01-02T03:04:05+25:00": time zone offset hour out of range',
    ],
    [
      '2024-01-02T03:04:05+00:61',
      'parsing time "2024-01-02T03:04:05+00:61": time zone offset minute out of range',
    ],
    ['ü"', `parsing time "\\xc3\\xbc\\"" as "${LAYOUT}": cannot parse "\\xc3\\xbc\\"" as "2006"`],
  ])('rejects %j', (text, message) => {
    expect(() => parseTime(text)).toThrow(new ParseError(message));
  });

  it('parses what it prints', () => {
    const date = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (moment) => {
        const timestamp = timestampOf(moment.getTime());
        expect(millisecondsOf(timestamp)).toBe(moment.getTime());
        expect(millisecondsOf(parseMicroTime(microTimeText(timestamp)))).toBe(moment.getTime());
        expect(parseTime(timeText(timestamp)).seconds).toBe(timestamp.seconds);
      }),
    );
  });

  it('throws nothing but ParseError', () => {
    const noise = fc.string({
      unit: fc.constantFrom('2024-01-02T', '03:04:05', '.000001', '+02:00', 'Z', '-', '1', ',', 'ü', '😀'),
    });
    fc.assert(
      fc.property(noise, fc.constantFrom(parseTime, parseMicroTime), (text, parse) => {
        try {
          parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
    );
  });
});

describe('parseMicroTime', () => {
  it('requires six digits', () => {
    expect(microTimeText(parseMicroTime('2024-01-02T03:04:05.000001+01:00'))).toBe(
      '2024-01-02T02:04:05.000001Z',
    );
    expect(() => parseMicroTime('2024-01-02T03:04:05Z')).toThrow(
      new ParseError(
        `parsing time "2024-01-02T03:04:05Z" as "${MICRO_LAYOUT}": cannot parse "Z" as ".000000"`,
      ),
    );
    expect(() => parseMicroTime('2024-01-02T03:04:05.00000Z')).toThrow(
      /cannot parse "\.00000Z" as "\.000000"/,
    );
    expect(() => parseMicroTime('2024-01-02T03:04:05.-00001Z')).toThrow(/: fractional second out of range/);
  });

  it('truncates finer fractions when printing', () => {
    expect(microTimeText({ seconds: 0, nanoseconds: 1999 })).toBe('1970-01-01T00:00:00.000001Z');
  });
});

describe('the JSON form', () => {
  it('is a string or null', () => {
    expect(fromJsonTime(null)).toBeUndefined();
    expect(fromJsonTime('1970-01-01T00:00:01Z')).toEqual({ seconds: 1, nanoseconds: 0 });
    expect(fromJsonMicroTime('1970-01-01T00:00:01.000000Z')).toEqual({ seconds: 1, nanoseconds: 0 });
  });

  it.each([
    [1, 'number'],
    [12345678901234567890n, 'number'],
    [true, 'bool'],
    [{}, 'object'],
    [[], 'array'],
  ])('is not %s', (value, type) => {
    const error = new ParseError(`json: cannot unmarshal ${type} into Go value of type string`);
    expect(() => fromJsonTime(value)).toThrow(error);
    expect(() => fromJsonMicroTime(value)).toThrow(error);
  });
});

describe('printedTime', () => {
  it('prints as messages do', () => {
    expect(printedTime(parseTime('2001-01-01T00:00:00Z'))).toBe('2001-01-01 00:00:00 +0000 UTC');
    expect(printedTime(parseTime('2001-01-01T00:00:00.250Z'))).toBe('2001-01-01 00:00:00.25 +0000 UTC');
  });
});
