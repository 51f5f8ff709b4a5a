const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes as hexadecimal digits, in lower case. */
export function toHex(bytes: Iterable<number>): string {
  let text = '';
  for (const byte of bytes) text += BYTES[byte];
  return text;
}
