// Each part is tried at one position only and is greedy, so that no text causes backtracking.
const SPACE = /[ \t]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is rejected
const ATOM = /[^\u0000- ()<>[\]:;@\\,."\u007f]+/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is rejected
const ATOM_WITH_DOTS = /[^\u0000- ()<>[\]:;@\\,"\u007f]+/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is rejected
const QUOTED = /"((?:[^\u0000-\u0008\u000a-\u001f"\\\u007f]|\\[\t -~\u0080-\u{10ffff}])*)"/uy;
const DOMAIN_LITERAL = /\[[!-Z^-~]*\]/y;

/**
 * Whether a text is one address of RFC 5322, with or without a name: `a@b`, `A <a@b.c>`. Groups are not
 * supported.
 */
export function isEmail(text: string): boolean {
  const reader = new AddressReader(text);
  if (reader.address() && reader.atEnd()) return true;
  return reader.restart().namedAddress() && reader.atEnd();
}

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  restart(): this {
    this.#at = 0;
    return this;
  }

  atEnd(): boolean {
    this.#comments();
    return this.#at === this.#text.length;
  }

  /** `local@domain` */
  address(): boolean {
    this.#take(SPACE);
    const local = this.#take(QUOTED) ?? this.#dotAtom();
    if (local === undefined || local === '""' || !this.#character('@')) return false;
    this.#take(SPACE);
    return (this.#take(DOMAIN_LITERAL) ?? this.#dotAtom()) !== undefined;
  }

  /** `name <local@domain>`; the name may be missing. */
  namedAddress(): boolean {
    this.#take(SPACE);
    while (this.#take(QUOTED) !== undefined || this.#take(ATOM_WITH_DOTS) !== undefined) this.#take(SPACE);
    return this.#character('<') && this.address() && this.#character('>');
  }

  #dotAtom(): string | undefined {
    const start = this.#at;
    do {
      if (this.#take(ATOM) === undefined) return undefined;
    } while (this.#character('.'));
    return this.#text.slice(start, this.#at);
  }

  #comments(): void {
    this.#take(SPACE);
    let depth = 0;
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at];
      if (character === '(') depth++;
      else if (depth === 0) return;
      else if (character === ')') depth--;
      this.#at += character === '\\' ? 2 : 1;
      if (depth === 0) this.#take(SPACE);
    }
    // An unterminated comment makes the text invalid.
    if (depth > 0) this.#at = -1;
  }

  #character(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
