const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const REPLACEMENT = '\ufffd';

/** The bytes of a text; lone surrogates become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/**
 * Encodes a text as a header value: UTF-8 bytes as a string with one character per byte. A character beyond
 * ASCII becomes several.
 */
export function byteString(text: string): string {
  const bytes = bytesOfNoText(text);
  return bytes ?? Array.from(encodeUtf8(text), (byte) => String.fromCharCode(byte)).join('');
}

/**
 * Decodes a header value whose characters are UTF-8 bytes, the inverse of {@link byteString}. Bytes that are no
 * UTF-8 become lone surrogates, U+DC80 to U+DCFF: with replacements two values would become equal, and no text has
 * these.
 */
export function byteStringText(value: string): string {
  // the host has already decoded it
  const isBytes = /[\u0080-\u00ff]/.test(value) && !/[^\0-\u00ff]/.test(value);
  if (!isBytes) return value;
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  return decodeUtf8Strictly(bytes) ?? Array.from(bytes, surrogateOf).join('');
}

/** The place of bytes among lone surrogates. */
const BYTES = 0xdc00;

const surrogateOf = (byte: number): string => String.fromCharCode(byte < 0x80 ? byte : BYTES + byte);

/** The bytes of a text that {@link byteStringText} made of bytes that are no UTF-8; undefined for other texts. */
function bytesOfNoText(text: string): string | undefined {
  let isNoText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= BYTES + 0x80 && code <= BYTES + 0xff) isNoText = true;
    else if (code >= 0x80) return undefined;
  }
  if (!isNoText) return undefined;
  return Array.from(text, (character) => String.fromCharCode(character.charCodeAt(0) & 0xff)).join('');
}

/** The text of bytes, or undefined if they are not UTF-8. A byte order mark stays. */
export function decodeUtf8Strictly(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The text of bytes with U+FFFD for **each** byte that is not part of a valid sequence. Web decoders use one
 * replacement for a longer invalid sequence; the decoders of the reference server do not, and texts must not
 * depend on the decoder.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return decodeUtf8Strictly(bytes) ?? decodeBroken(bytes);
}

function decodeBroken(bytes: Uint8Array): string {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(strict.decode(bytes.subarray(start, at)), REPLACEMENT);
    start = ++at;
  }
  parts.push(strict.decode(bytes.subarray(start)));
  return parts.join('');
}

/** Length of the valid sequence that starts at a position (RFC 3629 section 4); 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead <= 0xdf
      ? 2
      : lead >= 0xe0 && lead <= 0xef
        ? 3
        : lead >= 0xf0 && lead <= 0xf4
          ? 4
          : 0;
  if (length === 0 || !secondByteFits(lead, bytes[at + 1] ?? 0)) return 0;
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function secondByteFits(lead: number, second: number): boolean {
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}
