/** The text of several problems: `a`, or `[a, b]`; equal ones once. */
export function aggregateText(problems: readonly string[]): string {
  const different = [...new Set(problems)];
  return different.length === 1 ? (different[0] as string) : `[${different.join(', ')}]`;
}
