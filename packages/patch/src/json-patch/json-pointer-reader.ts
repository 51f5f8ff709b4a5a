import { unescapePointerToken } from '@ashlar/core';

/** Reads the tokens of a JSON pointer (RFC 6901) on demand. */
export class JsonPointerReader {
  readonly #pointer: string;
  #start = 1;

  /** @param pointer one that begins with a slash */
  constructor(pointer: string) {
    this.#pointer = pointer;
  }

  /** Whether only one token remains. */
  get isLast(): boolean {
    return this.#pointer.indexOf('/', this.#start) < 0;
  }

  /** The next token; must not be called after the last. */
  next(): string {
    const slash = this.#pointer.indexOf('/', this.#start);
    const end = slash < 0 ? this.#pointer.length : slash;
    const token = unescapePointerToken(this.#pointer.slice(this.#start, end));
    this.#start = end + 1;
    return token;
  }
}
