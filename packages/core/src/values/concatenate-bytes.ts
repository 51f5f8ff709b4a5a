/**
 * Returns the bytes of all parts, one after the other, in new memory.
 * @param length of all parts together, if it is known
 */
export function concatenateBytes(
  parts: Iterable<Uint8Array>,
  length: number = lengthOf(parts),
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function lengthOf(parts: Iterable<Uint8Array>): number {
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
}
