import { doneSteps, type Steps } from '../contracts/steps.ts';
import { bytesOf, decodeBase64, illegalBase64In, isBase64, withoutLineEnds } from './base64.ts';

/** Number of characters that are decoded between two pauses. */
const PIECE = 64 * 1024;
const DIGITS = /^[A-Za-z0-9+/]*$/;

/**
 * The same as {@link decodeBase64}, with a pause after each 64 KiB of text.
 * @throws ParseError `illegal base64 data at input byte 4`
 */
export function decodeBase64Steps(text: string): Steps<Uint8Array<ArrayBuffer>> {
  return text.length <= PIECE ? doneSteps(decodeBase64(text)) : decodePieces(text);
}

function* decodePieces(text: string): Steps<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(Math.ceil(text.length / 4) * 3);
  let length = 0;
  let rest = '';
  for (let at = 0; at < text.length; at += PIECE) {
    const digits = rest + withoutLineEnds(text.slice(at, at + PIECE));
    const isLast = at + PIECE >= text.length;
    const groups = isLast ? digits : withoutLastGroup(digits);
    if (isLast ? !isBase64(groups) : !DIGITS.test(groups)) throw illegalBase64In(text);
    const decoded = bytesOf(groups);
    bytes.set(decoded, length);
    length += decoded.length;
    rest = digits.slice(groups.length);
    yield;
  }
  return bytes.subarray(0, length);
}

/** All but the last group of up to four digits: it may be incomplete, and the last one of all may be padded. */
function withoutLastGroup(digits: string): string {
  return digits.slice(0, digits.length - (digits.length % 4 || 4));
}
