/** Joins pieces into one buffer for the wire: as is, or as one chunk of HTTP/1.1 (RFC 9112 section 7.1). */
export type Framing = 'plain' | 'chunk';

/**
 * Many watchers receive the same events: the frame of one is reused for the next if its pieces are the
 * identical buffers. Reset with `clear`, so that no frame outlives its round.
 */
export class SharedFrame {
  #pieces: readonly Uint8Array[] = [];
  #framing: Framing = 'plain';
  #frame: Uint8Array | undefined;

  of(pieces: readonly Uint8Array[], size: number, framing: Framing): Uint8Array {
    if (framing === 'plain' && pieces.length === 1) return pieces[0] as Uint8Array;
    if (this.#frame && this.#framing === framing && sameItems(this.#pieces, pieces)) return this.#frame;
    this.#pieces = pieces;
    this.#framing = framing;
    this.#frame = framing === 'chunk' ? chunkOf(pieces, size) : Buffer.concat(pieces, size);
    return this.#frame;
  }

  clear(): void {
    this.#pieces = [];
    this.#frame = undefined;
  }
}

/** One chunk: length in hexadecimal, the bytes, and a line end after each. */
function chunkOf(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const head = `${size.toString(16)}\r\n`;
  const frame = Buffer.allocUnsafe(head.length + size + 2);
  let at = frame.write(head, 0, 'latin1');
  for (const piece of pieces) {
    frame.set(piece, at);
    at += piece.length;
  }
  frame[at] = 13;
  frame[at + 1] = 10;
  return frame;
}

function sameItems(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
