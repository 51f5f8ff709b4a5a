/** A text without the characters of one kind at its end: zeros of a fraction, slashes of an address. Reads only them. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
