/** Ends of texts that count as space in Go: the next line does, the byte order mark does not. */
const SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;

/** A text without the space around it, as `strings.TrimSpace` of Go cuts it; `trim` cuts a byte order mark too. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.test(text.charAt(start))) start++;
  while (end > start && SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
