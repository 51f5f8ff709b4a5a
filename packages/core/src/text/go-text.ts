import { compareUtf8 } from './utf8.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
};
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const TO_ESCAPE = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/**
 * A string in double quotes as messages print it: controls, quotes and unprintable characters escaped
 * (semantics/README#how-to-read, `%q`).
 */
export function goQuote(text: string): string {
  if (text.length >= LONG && !NOT_AS_IN_JSON.test(text)) return JSON.stringify(text);
  return `"${text.replace(TO_ESCAPE, escapeCharacter)}"`;
}

/** Characters from which on a text is long: the engine takes ten times as long for what a function is called for. */
const LONG = 4096;

/** What JSON does not escape, or escapes in another form. */
const NOT_AS_IN_JSON = /[^\p{L}\p{M}\p{N}\p{P}\p{S} \n\r\t\b\f]/u;

/**
 * Whether a character (one code point) is printed as is: letters, marks, numbers, punctuation, symbols and
 * the space.
 */
export function isPrintable(character: string): boolean {
  return PRINTABLE.test(character);
}

const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Finds the characters that are not printed as they are, one at a time, with their positions in UTF-16. */
export function unprintableCharacters(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(UNPRINTABLE);
}

/** A list of strings as messages print it: `[]string{"a", "b"}`. */
export function goStringList(texts: readonly string[] | undefined): string {
  return texts === undefined ? '[]string(nil)' : `[]string{${texts.map(goQuote).join(', ')}}`;
}

/** Sorted by UTF-8 bytes, without duplicates. */
export function sortedSet(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort(compareUtf8);
}

function escapeCharacter(character: string): string {
  const short = ESCAPES[character];
  if (short) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  // a byte of a header that is no UTF-8
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code & 0xff, 2)}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
