/**
 * Trims one kind of character at the end of a string: zeros of a fraction, slashes of an address. Reads only
 * them.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
