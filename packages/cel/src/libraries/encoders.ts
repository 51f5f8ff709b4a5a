import { encodeBase64 } from '@ashlar/core';
import { type Library, overload } from '../check/declarations.ts';
import { types } from '../check/types.ts';
import { work } from '../cost/work.ts';
import { EvaluationError } from '../values/values.ts';

const { string, bytes } = types;
/** Steps per decoded character, and per encoded byte. */
const STEPS_PER_CHARACTER = 20;
const ALPHABET = /^[A-Za-z0-9+/]*$/;

/** Whether the text is base64; padding is optional if `padded` is false. */
export function isBase64(text: string, padded: boolean): boolean {
  work(text.length * 2);
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.length - padding;
  if (!ALPHABET.test(padding === 0 ? text : text.slice(0, digits))) return false;
  // A last group of one digit encodes no byte.
  return padding === 0 && !padded ? digits % 4 !== 1 : text.length % 4 === 0;
}

/**
 * Decodes base64; undefined if it is invalid. Unlike core's, it accepts texts without padding, as the
 * language does.
 */
function decodeBase64(text: string): Uint8Array | undefined {
  work(text.length * STEPS_PER_CHARACTER);
  const withoutLineBreaks = text.replace(/[\r\n]/g, '');
  if (!isBase64(withoutLineBreaks, false)) return undefined;
  const binary = atob(withoutLineBreaks);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function encode(bytes: Uint8Array): string {
  work(bytes.length * STEPS_PER_CHARACTER);
  return encodeBase64(bytes);
}

/** `base64.encode` and `base64.decode`. */
export const encodersLibrary: Library = {
  name: 'encoders',
  functions: [
    {
      name: 'base64.decode',
      overloads: [
        overload(
          'base64_decode_string',
          [string],
          bytes,
          (text: string) => decodeBase64(text) ?? new EvaluationError('illegal base64 data'),
        ),
      ],
    },
    { name: 'base64.encode', overloads: [overload('base64_encode_bytes', [bytes], string, encode)] },
  ],
};
