/** A time as events write it: RFC 3339, UTC, six decimals. @param milliseconds since 1970 */
export function microTime(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const micros = Math.floor((milliseconds - whole) * 1000);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}
