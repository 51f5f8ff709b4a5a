import { ParseError } from '../errors/parse-error.ts';
import { textOfCodeUnits } from '../text/code-units.ts';
import { goQuote } from '../text/go-text.ts';
import { integerErrorText, parseInt64 } from '../values/integer-text.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { ownMember } from './json-member.ts';

/**
 * The names and indexes of a JSON pointer (RFC 6901).
 *
 * @example parseJsonPointer('/metadata/labels/a~1b') // ['metadata', 'labels', 'a/b']
 *
 * @throws ParseError if the pointer is neither empty nor begins with a slash
 */
export function parseJsonPointer(pointer: string): readonly string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new ParseError('JSON pointer must be empty or start with a "/');
  return pointer.slice(1).split('/').map(unescapePointerToken);
}

/** Characters from which on a token is not left to the engine, which makes an array as long as the token. */
const LONG = 4096;
const TILDE = 0x7e;
const SLASH = 0x2f;

/** Returns the name or index that a token of a JSON pointer means. */
export function unescapePointerToken(token: string): string {
  if (!token.includes('~')) return token;
  return token.length < LONG ? token.replaceAll('~1', '/').replaceAll('~0', '~') : unescapeLong(token);
}

function unescapeLong(token: string): string {
  const units = new Uint16Array(token.length);
  let length = 0;
  for (let i = 0; i < token.length; i++) {
    const unit = token.charCodeAt(i);
    const digit = unit === TILDE ? token.charCodeAt(i + 1) - 0x30 : Number.NaN;
    const isEscape = digit === 0 || digit === 1;
    units[length++] = digit === 1 ? SLASH : unit;
    if (isEscape) i++;
  }
  return textOfCodeUnits(units.subarray(0, length));
}

/**
 * Returns the value that a pointer refers to. Indexes with leading zeros are accepted; `-` is not an index.
 * @throws ParseError if the document ends before the pointer does
 */
export function valueAtPointer(document: JsonValue, pointer: string): JsonValue {
  return parseJsonPointer(pointer).reduce(step, document);
}

function step(value: JsonValue, token: string): JsonValue {
  if (value === null) throw new ParseError(`nil value has not field ${goQuote(token)}`);
  if (Array.isArray(value)) return elementOf(value, token);
  if (typeof value !== 'object') throw new ParseError(`invalid token reference ${goQuote(token)}`);
  const member = ownMember(value as JsonObject, token);
  if (member === undefined) throw new ParseError(`object has no key ${goQuote(token)}`);
  return member;
}

function elementOf(list: readonly JsonValue[], token: string): JsonValue {
  const index = parseInt64(token);
  if (index === undefined) throw new ParseError(integerErrorText('Atoi', token));
  const element = index < 0n ? undefined : list[Number(index)];
  if (element !== undefined) return element;
  throw new ParseError(`index out of bounds array[0,${list.length - 1}] index '${index}'`);
}
