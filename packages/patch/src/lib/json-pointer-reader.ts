/** Reads the tokens of a JSON pointer (RFC 6901) one after another, as far as they are asked for. */
export class JsonPointerReader {
  /** The token that was read last. */
  last = '';
  readonly #pointer: string;
  #start = 1;

  /** @param pointer one that begins with a slash */
  constructor(pointer: string) {
    this.#pointer = pointer;
  }

  /** Whether the last token was read. */
  get isAtEnd(): boolean {
    return this.#start > this.#pointer.length;
  }

  /** The next token; not to be asked for at the end. */
  next(): string {
    const slash = this.#pointer.indexOf('/', this.#start);
    const end = slash < 0 ? this.#pointer.length : slash;
    this.last = unescapeToken(this.#pointer.slice(this.#start, end));
    this.#start = end + 1;
    return this.last;
  }
}

const unescapeToken = (token: string): string =>
  token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
