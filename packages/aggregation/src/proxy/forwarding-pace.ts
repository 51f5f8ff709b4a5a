import { type Ambient, pause } from '@ashlar/core';

/** Bytes that one transfer passes on before others go first: some tenths of a millisecond of the thread, most of them for encryption. */
export const PACED_BYTES: number = 64 * 1024;
/** What a piece costs beside its bytes, as bytes. */
const PIECE_BYTES = 512;

/**
 * The pace of bytes that are passed on between a caller and another server. Each piece is read, decrypted, encrypted and written by the
 * one thread, so twenty transfers without end would leave others nothing of it: each waits for its turn, again and again. What is short
 * never waits.
 */
export class ForwardingPace {
  readonly #ambient: Pick<Ambient, 'turns'>;
  #passed = 0;

  constructor(ambient: Pick<Ambient, 'turns'>) {
    this.#ambient = ambient;
  }

  /** Counts a piece that was passed on. Returns what the next one waits for, if it does. */
  after({ length }: Uint8Array): Promise<void> | undefined {
    this.#passed += length + PIECE_BYTES;
    if (this.#passed < PACED_BYTES) return undefined;
    this.#passed = 0;
    return pause(this.#ambient);
  }
}

/** The pieces of a body, at that pace. */
export async function* paced(
  pieces: AsyncIterable<Uint8Array>,
  ambient: Pick<Ambient, 'turns'>,
): AsyncGenerator<Uint8Array> {
  const pace = new ForwardingPace(ambient);
  for await (const piece of pieces) {
    yield piece;
    const turn = pace.after(piece);
    if (turn) await turn;
  }
}
