import type { BodyPieces } from '@ashlar/core';

/** Returns a text of one character per byte. */
export function latin1Text(body: Uint8Array | BodyPieces): string {
  if (body instanceof Uint8Array)
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  let text = '';
  for (const piece of body) text += latin1Text(piece);
  return text;
}
