const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes as hexadecimal digits, in lower case. */
export function toHex(bytes: ArrayLike<number>): string {
  let text = '';
  // without an iterator: every request has such a name
  for (let i = 0; i < bytes.length; i++) text += BYTES[bytes[i] as number];
  return text;
}
