import { endOfString } from '@ashlar/core';

const QUOTE = 34;
const COLON = 58;
const POINT = 46;
/** Maximum digits of an integer that a double represents exactly. */
const UNSAFE_DIGITS = 16;

/**
 * The number of members of all objects of a JSON text, including repeated keys; undefined if a number loses
 * precision as a double or its spelling matters. The text must be valid JSON.
 */
export function scanText(text: string): number | undefined {
  let members = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) {
      if (++digits === UNSAFE_DIGITS) return undefined;
      continue;
    }
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === COLON) members++;
    else if (digits > 0 && (code === POINT || code === 69 || code === 101)) return undefined;
    digits = 0;
  }
  return members;
}
