import { concatenateBytes } from './concatenate-bytes.ts';

/** Pieces up to this size are copied: one of their own costs as much memory as hundreds of bytes. */
const SMALL_BYTES = 1024;
/** Size of the memory into which small pieces are copied. */
const BLOCK_BYTES = 16_384;

/**
 * Joins pieces that arrive one after another. Costs at most a few times the memory of their bytes, however small they are.
 * @example
 * const gatherer = new ByteGatherer();
 * for await (const piece of response.stream()) gatherer.add(piece);
 * return gatherer.toBytes();
 */
export class ByteGatherer {
  /** Of all pieces together. */
  length = 0;
  readonly #pieces: Uint8Array[] = [];
  #block: Uint8Array | undefined;
  /** Bytes of the block that are used, and that are part of a piece already. */
  #used = 0;
  #taken = 0;

  /** How many pieces of memory are held. */
  get pieces(): number {
    return this.#pieces.length;
  }

  /** Adds a piece, which must not change until `toBytes`. */
  add(piece: Uint8Array): void {
    const isFirst = this.length === 0;
    this.length += piece.length;
    if (isFirst || piece.length > SMALL_BYTES) {
      this.#endPiece();
      this.#pieces.push(piece);
    } else this.#copy(piece);
  }

  /** Returns the bytes of all pieces: the piece itself if it is the only one. */
  toBytes(): Uint8Array {
    this.#endPiece();
    return this.#pieces.length === 1
      ? (this.#pieces[0] as Uint8Array)
      : concatenateBytes(this.#pieces, this.length);
  }

  #copy(piece: Uint8Array): void {
    let block = this.#block;
    if (!block || this.#used + piece.length > block.length) {
      this.#endPiece();
      block = new Uint8Array(BLOCK_BYTES);
      this.#block = block;
      this.#used = 0;
      this.#taken = 0;
    }
    block.set(piece, this.#used);
    this.#used += piece.length;
  }

  #endPiece(): void {
    if (!this.#block || this.#used === this.#taken) return;
    this.#pieces.push(this.#block.subarray(this.#taken, this.#used));
    this.#taken = this.#used;
  }
}

/** Returns the bytes of all pieces of a stream. */
export async function gatheredBytes(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const gatherer = new ByteGatherer();
  for await (const piece of pieces) gatherer.add(piece);
  return gatherer.toBytes();
}
