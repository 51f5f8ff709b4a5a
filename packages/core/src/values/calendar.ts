const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Whether a string is a day of the calendar: `2024-02-29` (RFC 3339, full-date). */
export function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  return year !== undefined && isDay(year, month ?? 0, day ?? 0);
}

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
