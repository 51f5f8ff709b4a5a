import type { Steps } from '@ashlar/core';
import { encodeUtf8 } from './utf8.ts';

const encoder = new TextEncoder();
/** Characters that are encoded in a millisecond. */
const PIECE = 524_288;
/** Maximum bytes of a character of UTF-16. */
const WIDEST = 3;

/** As {@link encodeUtf8}, with pauses where the text is long. */
export function* encodeUtf8Steps(text: string): Steps<Uint8Array<ArrayBuffer>> {
  if (text.length <= PIECE) return encodeUtf8(text);
  // most texts have nothing beyond ASCII
  let bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; ) {
    yield;
    const end = endOfPiece(text, at);
    const { read, written } = encoder.encodeInto(text.slice(at, end), bytes.subarray(length));
    at += read;
    length += written;
    // the rest has enough room, whatever it is: memory that nothing is written to costs none
    if (at < end) bytes = grown(bytes, length, length + WIDEST * (text.length - at));
  }
  return bytes.subarray(0, length);
}

/** A pair of surrogates stays together. */
function endOfPiece(text: string, at: number): number {
  const end = Math.min(text.length, at + PIECE);
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit <= 0xdbff && end < text.length ? end + 1 : end;
}

function grown(bytes: Uint8Array, used: number, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes.subarray(0, used));
  return larger;
}
