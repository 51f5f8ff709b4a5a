import { GO_ESCAPES } from '@ashlar/core';
import { JsonPathError } from './json-path-error.ts';

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([\s\S]))|([\s\S])/gu;
const LAST_CODE_POINT = 0x10ffff;
const LAST_OCTAL = 0o377;

/**
 * The text within quotes, with the escapes of Go's strings.
 * @throws JsonPathError
 */
export function unquote(quoted: string): string {
  const quote = quoted[0] as string;
  const inside = quoted.slice(1, -1);
  if (quoted.length < 2 || !quoted.endsWith(quote)) throw invalid(quoted);
  if (!inside.includes('\\') && !inside.includes(quote)) return inside;
  return inside.replace(ESCAPE, (_, hex, short, long, octal, letter, character) => {
    if (character !== undefined) {
      if (character === quote || character === '\\') throw invalid(quoted);
      return character;
    }
    if (letter !== undefined) return escaped(letter, quote, quoted);
    const code = octal === undefined ? Number.parseInt(hex ?? short ?? long, 16) : Number.parseInt(octal, 8);
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    if (code > (octal === undefined ? LAST_CODE_POINT : LAST_OCTAL) || isSurrogate) throw invalid(quoted);
    return String.fromCodePoint(code);
  });
}

function escaped(character: string, quote: string, quoted: string): string {
  const unescaped =
    character === quote ? quote : Object.hasOwn(GO_ESCAPES, character) ? GO_ESCAPES[character] : undefined;
  if (unescaped === undefined) throw invalid(quoted);
  return unescaped;
}

const invalid = (quoted: string): JsonPathError =>
  new JsonPathError(`unquote string ${quoted} error invalid syntax`);
