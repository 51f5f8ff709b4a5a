import type { Steps } from '@ashlar/core';
import type { JsonPieces } from '../events/logged-event.ts';

/** Bytes that are copied at once. */
const SLICE_BYTES = 1024 * 1024;

/** Returns the bytes of all pieces in new memory. */
export function* concatenateSteps(pieces: JsonPieces): Steps<Uint8Array> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let next = SLICE_BYTES;
  for (const piece of pieces)
    for (let from = 0; from < piece.length; from += SLICE_BYTES) {
      const part = piece.subarray(from, from + SLICE_BYTES);
      bytes.set(part, at);
      at += part.length;
      if (at < next) continue;
      next = at + SLICE_BYTES;
      yield;
    }
  return bytes;
}
