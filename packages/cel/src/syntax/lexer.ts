import type { Issue } from './source.ts';
import { stringEnd, unfinishedStringEnd } from './string-tokens.ts';

/** Kinds of tokens. Punctuation and the words `in`, `true`, `false`, `null` are their own kind. */
export type TokenKind =
  | 'identifier'
  | 'quoted-identifier'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'end'
  | Punctuation;

type Punctuation =
  | '==' | '!=' | 'in' | '<' | '<=' | '>=' | '>' | '&&' | '||' | '[' | ']' | '{' | '}' | '(' | ')'
  | '.' | ',' | '-' | '!' | '?' | ':' | '+' | '*' | '/' | '%' | 'true' | 'false' | 'null'; // biome-ignore format: a table

/** A token. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly position: number;
}

const SPACE = /[\t \r\n\f]+|\/\/[^\n]*/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const QUOTED_IDENTIFIER = /`[A-Za-z0-9_.\-/ ]+`/y;
const NUMBER =
  /(\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|(0x[0-9a-fA-F]+[uU]|\d+[uU])|(0x[0-9a-fA-F]+|\d+)/y;
const PUNCTUATION = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
const WORD_TOKENS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

function match(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}

/** Splits the text into tokens; invalid characters are reported and skipped. The last token is the `end`. */
export function tokenize(text: string): { tokens: Token[]; issues: Issue[] } {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  let position = 0;
  while (position < text.length) {
    const space = match(SPACE, text, position);
    if (space !== undefined) {
      position += space.length;
      continue;
    }
    const token = nextToken(text, position);
    if (token) {
      tokens.push(token);
      position += token.text.length;
    } else {
      const bad = unrecognized(text, position);
      issues.push({ message: `Syntax error: token recognition error at: '${visible(bad)}'`, position });
      position += bad.length;
    }
  }
  tokens.push({ kind: 'end', text: '<EOF>', position: text.length });
  return { tokens, issues };
}

function nextToken(text: string, position: number): Token | undefined {
  const code = text.charCodeAt(position);
  if (isLetter(code)) return stringToken(text, position, code) ?? wordToken(text, position);
  if (isDigit(code) || (code === 0x2e && isDigit(text.charCodeAt(position + 1))))
    return numberToken(text, position);
  if (code === 0x22 || code === 0x27) return stringToken(text, position, code);
  if (code === 0x60) {
    const quoted = match(QUOTED_IDENTIFIER, text, position);
    return quoted === undefined ? undefined : { kind: 'quoted-identifier', text: quoted, position };
  }
  const punctuation = match(PUNCTUATION, text, position);
  return punctuation === undefined
    ? undefined
    : { kind: punctuation as Punctuation, text: punctuation, position };
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isLetter = (code: number): boolean => {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || code === 0x5f;
};

function wordToken(text: string, position: number): Token {
  const word = match(WORD, text, position) as string;
  return { kind: WORD_TOKENS.has(word) ? (word as Punctuation) : 'identifier', text: word, position };
}

function numberToken(text: string, position: number): Token {
  NUMBER.lastIndex = position;
  const found = NUMBER.exec(text) as RegExpExecArray;
  const kind = found[1] !== undefined ? 'double' : found[2] !== undefined ? 'uint' : 'int';
  return { kind, text: found[0], position };
}

/** Prefixes of strings: b, B, r, R. */
const mayPrefixString = (code: number): boolean => (code | 0x20) === 0x62 || (code | 0x20) === 0x72;

function stringToken(text: string, position: number, first: number): Token | undefined {
  if (isLetter(first)) {
    if (!mayPrefixString(first) || !/["'rR]/.test(text[position + 1] ?? '')) return undefined;
  }
  const isBytes = (first | 0x20) === 0x62;
  const end = stringEnd(text, isBytes ? position + 1 : position);
  if (end === undefined) return undefined;
  return { kind: isBytes ? 'bytes' : 'string', text: text.slice(position, end), position };
}

function unrecognized(text: string, position: number): string {
  const character = String.fromCodePoint(text.codePointAt(position) as number);
  if (character === '"' || character === "'") {
    return text.slice(position, unfinishedStringEnd(text, position));
  }
  // Half of a doubled operator takes the next character along.
  if (character === '|' || character === '&' || character === '=') return text.slice(position, position + 2);
  return character;
}

const visible = (text: string): string =>
  text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
