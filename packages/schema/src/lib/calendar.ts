const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Whether a text is a day of the calendar: `2024-02-29` (RFC 3339, full-date). */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const month = Number(match[2]);
  const day = Number(match[3]);
  return month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= daysIn(Number(match[1]), month));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
