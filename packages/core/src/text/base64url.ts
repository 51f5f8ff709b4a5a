import { bytesOf, encodeBase64, illegalBase64 } from './base64.ts';

/** Bytes in base64url without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Decodes base64url without padding. Line ends are skipped.
 * @throws ParseError with the position of the byte
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const illegalAt = text.search(/[^\w\-\r\n]/);
  if (illegalAt >= 0) throw illegalBase64(illegalAt);
  const digits = text.replace(/[\r\n]/g, '');
  if (digits.length % 4 === 1) throw illegalBase64(text.length - 1);
  return bytesOf(digits.replaceAll('-', '+').replaceAll('_', '/'));
}
