import { endOfStringSteps, type Steps } from '@ashlar/core';

const QUOTE = 34;
const COLON = 58;
const POINT = 46;
/** Maximum digits of an integer that a double represents exactly. */
const UNSAFE_DIGITS = 16;
/** Characters between pauses. */
const STRETCH = 65_536;

/**
 * The number of members of all objects of a JSON text, including repeated keys; undefined if a number loses
 * precision as a double or its spelling matters. The text must be valid JSON.
 */
export function* scanTextSteps(text: string): Steps<number | undefined> {
  let members = 0;
  let digits = 0;
  let pauseAt = STRETCH;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) {
      if (++digits === UNSAFE_DIGITS) return undefined;
      continue;
    }
    if (i >= pauseAt) {
      pauseAt = i + STRETCH;
      yield;
    }
    if (code === QUOTE) {
      const end = text.indexOf('"', i + 1);
      i = text.charCodeAt(end - 1) === BACKSLASH ? yield* endOfStringSteps(text, i) : end;
    } else if (code === COLON) members++;
    else if (digits > 0 && (code === POINT || code === 69 || code === 101)) return undefined;
    digits = 0;
  }
  return members;
}

const BACKSLASH = 92;
