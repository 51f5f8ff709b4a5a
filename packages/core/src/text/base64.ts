import { ParseError } from '../errors/parse-error.ts';
import { textOfCodeUnits } from './code-units.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const QUESTION_MARK = 0x3f;

/** Bytes as base64 with padding (RFC 4648, section 4), as JSON holds them. */
export function encodeBase64(bytes: Uint8Array): string {
  return btoa(textOfCodeUnits(bytes));
}

/**
 * Decodes base64 with padding. Line ends and the bits after the last byte are ignored.
 * @throws ParseError `illegal base64 data at input byte 4`
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return bytesOf(joinedLines(text));
}

/**
 * Canonical base64 with padding: line ends are removed and the bits after the last byte are zero.
 * @throws ParseError `illegal base64 data at input byte 4`
 */
export function canonicalBase64(text: string): string {
  const joined = joinedLines(text);
  if (joined.endsWith('==')) return withoutLooseBits(joined, joined.length - 3, 0x30);
  if (joined.endsWith('=')) return withoutLooseBits(joined, joined.length - 2, 0x3c);
  return joined;
}

/** Decodes base64, padded or not, that has been validated. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function illegalBase64(position: number): ParseError {
  return new ParseError(`illegal base64 data at input byte ${position}`);
}

/** The error of a text that is not base64. */
export function illegalBase64In(text: string): ParseError {
  return illegalBase64(faultAt(text));
}

/** Whether a text without line ends is base64 with padding. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}

function joinedLines(text: string): string {
  const joined = withoutLineEnds(text);
  if (!isBase64(joined)) throw illegalBase64In(text);
  return joined;
}

/**
 * A text of base64 without line ends. Lines may be as short as a character, by the million: they are not cut out
 * one by one. Characters beyond ASCII, which base64 has none of, become question marks.
 */
export function withoutLineEnds(text: string): string {
  if (!text.includes('\n') && !text.includes('\r')) return text;
  const codes = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== 0x0a && code !== 0x0d) codes[length++] = code > 0x7f ? QUESTION_MARK : code;
  }
  return ascii.decode(codes.subarray(0, length));
}

const ascii = new TextDecoder();

function withoutLooseBits(text: string, at: number, mask: number): string {
  const bits = ALPHABET.indexOf(text.charAt(at));
  if ((bits & mask) === bits) return text;
  return text.slice(0, at) + ALPHABET.charAt(bits & mask) + text.slice(at + 1);
}

/** Where other decoders stop: at the bad character, at the start of an incomplete group, or after the padding. */
function faultAt(text: string): number {
  const bad = text.search(FOREIGN);
  const end = bad < 0 ? text.length : bad;
  const inGroup = (end - breaksBefore(text, end)) % 4;
  if (bad < 0) return end - inGroup;
  return text.charAt(bad) === '=' && inGroup >= 2 ? faultInPadding(text, bad, inGroup) : bad;
}

/** What is neither base64 nor the end of a line. */
const FOREIGN = /[^A-Za-z0-9+/\r\n]/;

function breaksBefore(text: string, end: number): number {
  let breaks = 0;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x0a || code === 0x0d) breaks++;
  }
  return breaks;
}

function faultInPadding(text: string, at: number, inGroup: number): number {
  let next = behindBreaks(text, at + 1);
  if (inGroup === 2) {
    if (next === text.length) return next;
    if (text.charAt(next) !== '=') return next - 1;
    next = behindBreaks(text, next + 1);
  }
  return next;
}

function behindBreaks(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === '\n' || text.charAt(at) === '\r') at++;
  return at;
}
