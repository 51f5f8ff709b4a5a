import type { BodyPieces } from '@ashlar/core';

/** Concatenates pieces; returns a single piece as it is. */
export function concatenated(pieces: BodyPieces): Uint8Array {
  const parts = [...pieces];
  if (parts.length === 1) return parts[0] as Uint8Array;
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
