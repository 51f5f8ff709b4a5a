import type { BodyPieces } from '@ashlar/core';

/** Pieces as one; a single piece as it is. */
export function concatenated(pieces: BodyPieces): Uint8Array {
  const parts = 'size' in pieces ? [...pieces] : pieces;
  if (parts.length === 1) return parts[0] as Uint8Array;
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
