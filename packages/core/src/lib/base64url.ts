import { ParseError } from './parse-error.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const DIGITS: ReadonlyMap<string, number> = new Map(
  [...ALPHABET].map((character, digit) => [character, digit]),
);

/** Bytes in base64url without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3);
    const bits = (a << 16) | (b << 8) | c;
    const digits = Math.min(bytes.length - i, 3) + 1;
    for (let digit = 0; digit < digits; digit++) text += ALPHABET[(bits >> (18 - 6 * digit)) & 63];
  }
  return text;
}

/**
 * Reads base64url without padding. Line ends are passed over.
 * @throws ParseError that counts the byte at fault
 */
export function fromBase64Url(text: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\n' || text[i] === '\r') continue;
    const digit = DIGITS.get(text[i] as string);
    if (digit === undefined) throw illegal(i);
    bits = (bits << 6) | digit;
    if (++digits % 4 !== 0) continue;
    bytes.push((bits >> 16) & 255, (bits >> 8) & 255, bits & 255);
    bits = 0;
  }
  if (digits % 4 === 1) throw illegal(text.length - 1);
  if (digits % 4 >= 2) bytes.push((bits >> (digits % 4 === 2 ? 4 : 10)) & 255);
  if (digits % 4 === 3) bytes.push((bits >> 2) & 255);
  return Uint8Array.from(bytes);
}

const illegal = (position: number): ParseError =>
  new ParseError(`illegal base64 data at input byte ${position}`);
