/** What a glance at JSON text tells. It judges no syntax: its answers count only for text that parses. */
export interface JsonSurvey {
  /** How many members the objects have, duplicates included. */
  readonly members: number;
  /** Deepest nesting of arrays and objects. */
  readonly depth: number;
  /** Whether `JSON.parse` reads the same value: no integer that it would round, no `-0`, no exponent, no escaped surrogate. */
  readonly native: boolean;
  /** Whether some number is written with a fraction or an exponent. */
  readonly decimals: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Integers of as many digits are below 2^53. */
const SAFE_DIGITS = 15;
/** A decimal of as many digits cannot overflow a double without an exponent. */
const SAFE_DECIMAL_LENGTH = 300;

/** Counts members and nesting, and looks for what the language's own parser cannot tell, in one pass over the bytes. */
export function surveyJson(bytes: Uint8Array): JsonSurvey {
  let members = 0;
  let depth = 0;
  let deepest = 0;
  let native = true;
  let decimals = false;
  const length = bytes.length;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      for (i++; i < length && bytes[i] !== QUOTE; i++) {
        if (bytes[i] !== BACKSLASH) continue;
        i++;
        if (isSurrogateEscape(bytes, i)) native = false;
      }
    } else if (byte === 0x3a) members++;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    else if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d) {
      const start = i;
      let kind = INTEGER;
      for (; i < length; i++) {
        const next = numberByte(bytes[i] as number);
        if (next === 0) break;
        kind |= next;
      }
      i--;
      if (kind & (FRACTION | EXPONENT)) decimals = true;
      if (!isNativeNumber(bytes, start, i + 1 - start, kind)) native = false;
    }
  }
  return { members, depth: deepest, native, decimals };
}

const INTEGER = 1;
const FRACTION = 2;
const EXPONENT = 4;

function numberByte(byte: number): number {
  if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d) return INTEGER;
  if (byte === 0x2e) return FRACTION;
  return byte === 0x65 || byte === 0x45 || byte === 0x2b ? EXPONENT : 0;
}

function isNativeNumber(bytes: Uint8Array, start: number, length: number, kind: number): boolean {
  if (kind & EXPONENT) return false;
  if (kind & FRACTION) return length < SAFE_DECIMAL_LENGTH;
  return length <= SAFE_DIGITS && !(bytes[start] === 0x2d && bytes[start + 1] === 0x30);
}

/** `\ud…` and `\uD…`, seen from the letter after the backslash. */
function isSurrogateEscape(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x75 && ((bytes[at + 1] ?? 0) | 0x20) === 0x64;
}
