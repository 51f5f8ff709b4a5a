const DATE = /^\d{4}-\d\d-\d\d$/;

/** Whether a string is a day of the calendar: `2024-02-29` (RFC 3339, full-date). */
export function isDate(text: string): boolean {
  return DATE.test(text) && isDay(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
}

/** Each stored time is checked when it is read: digits are read without a copy of them. */
function number(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + text.charCodeAt(at) - ZERO;
  return value;
}

const ZERO = 48;

/** Whether a month (1 to 12) of a year has a day of that number. */
export function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= lengthOf(month, year));
}

function lengthOf(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Milliseconds since 1970 at which a day begins; years below 100 are not shifted to 1900. */
export function startOfDay(year: number, month: number, day: number): number {
  if (year >= 100) return Date.UTC(year, month - 1, day);
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
