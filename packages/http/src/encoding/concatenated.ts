import { type BodyPieces, concatenateBytes } from '@ashlar/core';

/** Concatenates pieces; returns a single piece as it is. */
export function concatenated(pieces: BodyPieces): Uint8Array {
  const parts = [...pieces];
  return parts.length === 1 ? (parts[0] as Uint8Array) : concatenateBytes(parts);
}
