const CHUNK = 0x8000;

/** A text as base64 of its UTF-8 bytes (RFC 4648, section 4). */
export function textToBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (let i = 0; i < bytes.length; i += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return btoa(binary);
}

/** The text that base64 stands for; bytes that are no UTF-8 become the replacement character. */
export function base64ToText(base64: string): string {
  return new TextDecoder().decode(base64ToBytes(base64));
}

/**
 * The bytes that base64 stands for.
 * @throws DOMException where it is no base64
 */
export function base64ToBytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
