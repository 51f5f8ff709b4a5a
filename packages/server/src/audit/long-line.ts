import type { Steps } from '@ashlar/core';

/** Bytes that are written at once. */
const PART_BYTES = 256 * 1024;

/** Returns the pieces of a line, divided so that each is written quickly. */
export function* partsOf(pieces: readonly Uint8Array[]): Iterable<Uint8Array> {
  for (const piece of pieces)
    for (let from = 0; from < piece.length; from += PART_BYTES) yield piece.subarray(from, from + PART_BYTES);
}

/** Prints a line of UTF-8, with pauses. */
export function* printSteps(pieces: readonly Uint8Array[], print: (text: string) => void): Steps<void> {
  const decoder = new TextDecoder();
  for (const part of partsOf(pieces)) {
    print(decoder.decode(part, { stream: true }));
    yield;
  }
}
