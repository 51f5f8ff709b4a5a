import type { Steps } from '@ashlar/core';
import { PIECE_LENGTH, type YamlReading } from './yaml-cursor.ts';
import { YamlScanner } from './yaml-scanner.ts';
import type { YamlToken } from './yaml-token.ts';

/** Tokens of a long text that are read before they are asked for: at least as many as are taken without a pause. */
const READY = 16;
const MAXIMUM_READY = 64;
/** Consumed tokens that are kept. */
const CONSUMED = 1024;

/**
 * The tokens of a text, one after the other. A token may be as long as the text: {@link readAhead} reads the next ones with pauses, so
 * that `peek` and `next` find them.
 */
export class YamlTokens {
  readonly #scanner: YamlScanner;
  readonly #pieceLength: number;
  readonly #hasPieces: boolean;
  /** Index of the next token. */
  #head = 0;
  /** The error of the token after those that were read ahead. */
  #fault: { readonly error: unknown } | undefined;
  /** How much of the text is read before the next pause. */
  #pauseAt: number;

  constructor(text: string, reading: YamlReading) {
    const { pieceLength = PIECE_LENGTH } = reading;
    this.#scanner = new YamlScanner(text, reading);
    this.#pieceLength = pieceLength;
    this.#hasPieces = text.length > pieceLength;
    this.#pauseAt = pieceLength;
  }

  /** The next token, which is not consumed. The end of the stream repeats. @throws YamlFault */
  peek(): YamlToken {
    const scanner = this.#scanner;
    if (this.#head === scanner.certain) this.#read();
    return scanner.tokens[this.#head] as YamlToken;
  }

  #read(): void {
    if (this.#fault) throw this.#fault.error;
    const scanner = this.#scanner;
    while (this.#head === scanner.certain) scanner.advance();
  }

  /** Consumes the peeked token. */
  next(): YamlToken {
    const token = this.peek();
    if (token.type === 'stream-end') return token;
    if (++this.#head > CONSUMED) {
      this.#scanner.forget(this.#head);
      this.#head = 0;
    }
    return token;
  }

  /** Whether so few tokens are ready that {@link readAhead} should be called. */
  get isBehind(): boolean {
    return this.#hasPieces && this.#scanner.certain - this.#head < READY;
  }

  /** Reads the next tokens. Their errors are thrown when they are asked for. */
  *readAhead(): Steps<void> {
    const scanner = this.#scanner;
    while (!this.#fault && !scanner.isOver && scanner.certain - this.#head < MAXIMUM_READY) {
      try {
        scanner.advance();
      } catch (error) {
        this.#fault = { error };
      }
      if (scanner.at < this.#pauseAt) continue;
      this.#pauseAt = scanner.at + this.#pieceLength;
      yield;
    }
  }
}
