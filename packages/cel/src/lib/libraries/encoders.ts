import { encodeBase64 } from '@ashlar/core';
import { type Library, overload } from '../declarations.ts';
import { types } from '../types.ts';
import { EvaluationError } from '../values.ts';

const { string, bytes } = types;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Bytes of a base64 text; undefined when it is none. Unlike core's, it takes texts without padding, as the language does. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const plain = text.replace(/[\r\n]/g, '');
  if (!BASE64.test(plain)) return undefined;
  return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
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
    { name: 'base64.encode', overloads: [overload('base64_encode_bytes', [bytes], string, encodeBase64)] },
  ],
};
