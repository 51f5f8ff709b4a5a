import { DecodeError } from './decode-error.ts';

/** Bytes as base64 with padding (RFC 4648 section 4), as JSON holds them. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

const CHUNK = 8192;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The bytes of base64 with padding; line breaks inside are passed over.
 * @throws DecodeError `illegal base64 data at input byte N`
 */
export function decodeBase64(text: string): Uint8Array {
  const digits = text.replace(/[\r\n]/g, '');
  if (!BASE64.test(digits)) throw new DecodeError(`illegal base64 data at input byte ${faultOf(text)}`);
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
}

function faultOf(text: string): number {
  const at = text.search(/[^A-Za-z0-9+/\r\n]/);
  return at < 0 ? text.length : at;
}
