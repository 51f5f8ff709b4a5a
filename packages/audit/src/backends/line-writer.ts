import { concatenateBytes, type MaybePromise } from '@ashlar/core';
import type { JsonPieces } from '../events/logged-event.ts';

/** Where lines are written to: in one piece, or, if they are long, in several. */
export interface LineTarget {
  write(line: Uint8Array): MaybePromise<void>;
  writeLong?(pieces: JsonPieces): MaybePromise<void>;
}

/** Bytes from which a line is not put together. */
const LONG_BYTES = 256 * 1024;

/** Writes lines one after the other, in the order of the calls: without a promise if none is still being written. */
export class LineWriter {
  readonly #target: LineTarget;
  /** Never rejects; undefined if nothing is being written. */
  #last: Promise<void> | undefined;

  constructor(target: LineTarget) {
    this.#target = target;
  }

  /** Writes some lines. @throws Error if one cannot be written, also from the promise; those after it are not written then */
  write(lines: readonly JsonPieces[]): MaybePromise<void> {
    const written = this.#last ? this.#last.then(() => this.#writeFrom(lines, 0)) : this.#writeFrom(lines, 0);
    if (!(written instanceof Promise)) return;
    const ended = written.then(nothing, nothing).then(() => {
      if (this.#last === ended) this.#last = undefined;
    });
    this.#last = ended;
    return written;
  }

  #writeFrom(lines: readonly JsonPieces[], from: number): MaybePromise<void> {
    for (let index = from; index < lines.length; index++) {
      const written = this.#writeLine(lines[index] as JsonPieces);
      if (written instanceof Promise) return written.then(() => this.#writeFrom(lines, index + 1));
    }
  }

  #writeLine(pieces: JsonPieces): MaybePromise<void> {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (length >= LONG_BYTES && this.#target.writeLong) return this.#target.writeLong(pieces);
    return this.#target.write(concatenateBytes(pieces, length));
  }
}

const nothing = (): void => {};
