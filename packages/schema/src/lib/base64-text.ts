import { TypedDecodeError } from './typed-decode-error.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const WHOLE = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Standard padded base64 as it is printed again: line breaks are left out and the bits behind the last byte are zero.
 * @throws TypedDecodeError `illegal base64 data at input byte 4`
 */
export function canonicalBase64(text: string): string {
  const joined = text.includes('\n') || text.includes('\r') ? text.replace(/[\r\n]/g, '') : text;
  if (joined.length % 4 !== 0 || !WHOLE.test(joined)) {
    throw new TypedDecodeError(`illegal base64 data at input byte ${faultAt(text)}`);
  }
  if (joined.endsWith('==')) return withoutLooseBits(joined, joined.length - 3, 0x30);
  if (joined.endsWith('=')) return withoutLooseBits(joined, joined.length - 2, 0x3c);
  return joined;
}

function withoutLooseBits(text: string, at: number, mask: number): string {
  const bits = ALPHABET.indexOf(text.charAt(at));
  if ((bits & mask) === bits) return text;
  return text.slice(0, at) + ALPHABET.charAt(bits & mask) + text.slice(at + 1);
}

/** Where Go's decoder gives up: at the bad character, at the start of a group that is cut short, or behind the padding. */
function faultAt(text: string): number {
  let inGroup = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '\n' || character === '\r') continue;
    if (ALPHABET.includes(character)) {
      inGroup = (inGroup + 1) % 4;
      continue;
    }
    return character === '=' && inGroup >= 2 ? faultInPadding(text, i, inGroup) : i;
  }
  return text.length - inGroup;
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
