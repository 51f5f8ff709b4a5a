import type { RequestHeaders } from '@ashlar/core';

/**
 * The header of a request as Node stores it: alternating names and values, as sent. Lookups scan the lines,
 * since a request has few and most are never read; repeated fields stay separate.
 * Pseudo-headers of HTTP/2 are skipped, but `:authority` is returned for an absent `host` (RFC 9113 section
 * 8.3.1).
 */
export class RequestHeaderLines implements RequestHeaders {
  readonly #raw: readonly string[];
  readonly #others: number;

  /** @param others characters of the head that stand neither in a line nor in the URL: those that an absolute target loses */
  constructor(raw: readonly string[], others = 0) {
    this.#raw = raw;
    this.#others = others;
  }

  get(name: string): string | undefined {
    const raw = this.#raw;
    const lowerCased = name.toLowerCase();
    for (let i = 0; i < raw.length; i += 2) {
      if (isSameName(raw[i] as string, lowerCased)) return raw[i + 1];
    }
    return lowerCased === 'host' && raw.length > 0 ? this.#authority() : undefined;
  }

  all(name: string): readonly string[] {
    const raw = this.#raw;
    const lowerCased = name.toLowerCase();
    const values: string[] = [];
    for (let i = 0; i < raw.length; i += 2) {
      if (isSameName(raw[i] as string, lowerCased)) values.push(raw[i + 1] as string);
    }
    return values;
  }

  get size(): number {
    let size = this.#others;
    for (const text of this.#raw) size += text.length;
    return size;
  }

  *entries(): Iterable<readonly [name: string, value: string]> {
    const raw = this.#raw;
    for (let i = 0; i < raw.length; i += 2) {
      const name = raw[i] as string;
      if (!isPseudo(name)) yield [name.toLowerCase(), raw[i + 1] as string];
    }
  }

  someBegin(prefix: string): boolean {
    const raw = this.#raw;
    const first = prefix.charCodeAt(0);
    for (let i = 0; i < raw.length; i += 2) {
      const name = raw[i] as string;
      // most names differ in their first letter
      if ((name.charCodeAt(0) | LOWER_CASE) === first && name.toLowerCase().startsWith(prefix)) return true;
    }
    return false;
  }

  #authority(): string | undefined {
    const at = this.#raw.indexOf(':authority');
    return at < 0 ? undefined : this.#raw[at + 1];
  }
}

const COLON = 58;
/** The bit that distinguishes lower-case letters from upper-case ones. */
const LOWER_CASE = 0x20;

function isPseudo(name: string): boolean {
  return name.charCodeAt(0) === COLON;
}

function isSameName(sent: string, lowerCased: string): boolean {
  if (sent.length !== lowerCased.length) return false;
  return (sent === lowerCased || sent.toLowerCase() === lowerCased) && !isPseudo(sent);
}
