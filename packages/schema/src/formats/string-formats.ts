import { isDate, ParseError, parseCidr, parseIpAddress, parseWordedDuration, utf8Length } from '@ashlar/core';
import { isEmail } from './email-format.ts';
import { isCreditCard, isIsbn10, isIsbn13 } from './number-formats.ts';
import { isRequestUri } from './uri-format.ts';

type FormatCheck = (text: string) => boolean;

const shaped =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);

const HOSTNAME_BYTES = 255;
const LABEL_BYTES = 63;
/** A complete name without dots. */
const SINGLE_LABEL = /^[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u;
/** A label before a dot, which neither begins nor ends with a dash. */
const LABEL = /^[a-zA-Z0-9\-\p{S}\p{L}]{1,63}$/u;
const LAST_LABEL = /^[a-zA-Z\p{L}]{2,63}$/u;

const isHostname: FormatCheck = (text) => {
  if (text.length > HOSTNAME_BYTES || utf8Length(text) > HOSTNAME_BYTES) return false;
  const labels = text.split('.');
  if (!labels.every((label) => utf8Length(label) <= LABEL_BYTES)) return false;
  if (labels.length === 1) return SINGLE_LABEL.test(text);
  return LAST_LABEL.test(labels.pop() as string) && labels.every(isLabel);
};

const isLabel = (label: string): boolean =>
  LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-');

const TIME_OF_DAY = /^(\d\d):(\d\d):(\d\d)(?:[^\n]\d+)?(?:z|[+-]\d\d:\d\d)$/;

const ZERO = '0'.charCodeAt(0);

/** The number that two digits spell, or NaN. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

const between = (value: number, least: number, most: number): boolean => value >= least && value <= most;

/** Whether a text is a time in the usual form, `2024-01-02T03:04:05Z`, on a day that every month has. */
const isPlainMoment: FormatCheck = (text) =>
  text.length === 20 &&
  text[4] === '-' &&
  text[7] === '-' &&
  text[10] === 'T' &&
  text[13] === ':' &&
  text[16] === ':' &&
  text[19] === 'Z' &&
  between(twoDigits(text, 0), 0, 99) &&
  between(twoDigits(text, 2), 0, 99) &&
  between(twoDigits(text, 5), 1, 12) &&
  between(twoDigits(text, 8), 1, 28) &&
  between(twoDigits(text, 11), 0, 23) &&
  between(twoDigits(text, 14), 0, 59) &&
  between(twoDigits(text, 17), 0, 59);

const isDateTime: FormatCheck = (text) => {
  if (isPlainMoment(text)) return true;
  const [date = '', time = ''] = text.toLowerCase().split('t', 2);
  const match = TIME_OF_DAY.exec(time);
  if (!match || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] = match;
  return hour <= '23' && minute <= '59' && second <= '59';
};

const isDuration: FormatCheck = (text) => {
  try {
    parseWordedDuration(text);
    return true;
  } catch (error) {
    if (!ParseError.is(error)) throw error;
    return false;
  }
};

const isAddress =
  (separator: string): FormatCheck =>
  (text) =>
    text.includes(separator) && parseIpAddress(text) !== undefined;

const RGB = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/;

const isRgbColor: FormatCheck = (text) => {
  const [, ...parts] = RGB.exec(text) ?? [];
  return parts.length === 3 && parts.every((part) => Number(part) <= 255 && String(Number(part)) === part);
};

/** Go checks only the shape of base64 here; the empty text has none. */
const isBase64: FormatCheck = (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

const FORMATS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', shaped(/^[0-9a-fA-F]{24}$/)],
  ['uri', isRequestUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isAddress('.')],
  ['ipv6', isAddress(':')],
  ['cidr', (text) => parseCidr(text) !== undefined],
  [
    'mac',
    shaped(
      /^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}(?:(?:[0-9a-f]{2}\1){2}|(?:[0-9a-f]{2}\1){14})?[0-9a-f]{2}$|^[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?:\.[0-9a-f]{4}|(?:\.[0-9a-f]{4}){7})?$/i,
    ),
  ],
  ['uuid', shaped(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', shaped(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', shaped(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', shaped(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', shaped(/^\d{3}[- ]\d{2}[- ]\d{4}$/)],
  ['hexcolor', shaped(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', isRgbColor],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
]);

/**
 * The check of a string format, or undefined for an unchecked format (semantics/schemas#validation-texts).
 * Dashes in the name are ignored: `date-time` is `datetime`.
 */
export function formatCheck(format: string): FormatCheck | undefined {
  return FORMATS.get(format.replaceAll('-', ''));
}
