import { GO_ESCAPES } from '@ashlar/core';
import { toInt } from '../values/numbers.ts';
import { toDouble, Uint, type Value } from '../values/values.ts';

const INT_MIN = -(2n ** 63n);
const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

/** Value of an int literal, decimal or `0x…`, or undefined if it does not fit 64 bits. */
export function intLiteral(text: string, negative: boolean): Value | undefined {
  const magnitude = BigInt(text);
  const value = negative ? -magnitude : magnitude;
  return value < INT_MIN || value > INT_MAX ? undefined : toInt(value);
}

/** Value of a literal such as `1u`, or undefined if it does not fit 64 bits. */
export function uintLiteral(text: string): Uint | undefined {
  const value = BigInt(text.slice(0, -1));
  return value > UINT_MAX ? undefined : new Uint(value);
}

/** Value of a double literal, or undefined if it is too large. */
export function doubleLiteral(text: string, negative: boolean): Value | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  return toDouble(negative ? -value : value);
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  ...GO_ESCAPES,
  '"': '"',
  "'": "'",
  '?': '?',
  '`': '`',
};

interface Quoted {
  readonly body: string;
  readonly raw: boolean;
}

function unquote(text: string): Quoted {
  const raw = text[0] === 'r' || text[0] === 'R';
  const quoted = raw ? text.slice(1) : text;
  const width = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1;
  return { body: quoted.slice(width, -width).replace(/\r\n?/g, '\n'), raw };
}

const ESCAPE = /\\(?:([xX])(..)|u(....)|U(.{8})|([0-7]{3})|([\s\S]))/g;

/** Value of a literal, or its error message. */
export type Literal =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: string };

/** Returns the text of a string literal. */
export function stringLiteral(text: string): Literal {
  const { body, raw } = unquote(text);
  if (raw || !body.includes('\\')) return { ok: true, value: body };
  let error: string | undefined;
  const value = body.replace(ESCAPE, (_, _x, hex, short, long, octal, simple) => {
    if (simple !== undefined) return SIMPLE_ESCAPES[simple as string] as string;
    const code = octal === undefined ? Number.parseInt(hex ?? short ?? long, 16) : Number.parseInt(octal, 8);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      error = 'invalid unicode code point';
      return '';
    }
    return String.fromCodePoint(code);
  });
  return error === undefined ? { ok: true, value } : { ok: false, error };
}

/** Bytes of a literal such as `b'\xff'`: `\x` and octal escapes are bytes, all else is UTF-8. */
export function bytesLiteral(text: string): Literal {
  const { body, raw } = unquote(text.slice(1));
  const encoder = new TextEncoder();
  if (raw) return { ok: true, value: encoder.encode(body) };
  const bytes: number[] = [];
  const addText = (text: string): void => {
    for (const byte of encoder.encode(text)) bytes.push(byte);
  };
  let last = 0;
  for (const found of body.matchAll(ESCAPE)) {
    addText(body.slice(last, found.index));
    last = found.index + found[0].length;
    const [, , hex, short, long, octal, simple] = found;
    if (short !== undefined || long !== undefined) return { ok: false, error: 'unable to unescape string' };
    if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push((SIMPLE_ESCAPES[simple as string] as string).charCodeAt(0));
  }
  addText(body.slice(last));
  return { ok: true, value: Uint8Array.from(bytes) };
}
