/** A set of characters: one bit for each of ASCII, and one for all others together. */
export type CharacterSet = bigint;

const NONE: CharacterSet = 0n;
const ALL: CharacterSet = (1n << 129n) - 1n;

/** Whether a set contains an ASCII character. */
export function holds(set: CharacterSet, code: number): boolean {
  return (set & bit(code)) !== NONE;
}

/** Whether a set contains all characters beyond ASCII. */
export function holdsOthers(set: CharacterSet): boolean {
  return holds(set, 128);
}

/** A part of a pattern. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly body: PatternNode;
      readonly min: number;
      readonly max: number | undefined;
    };

/** A parsed pattern. */
export interface PatternSyntax {
  readonly root: PatternNode;
  /** Whether a match starts where the text starts. */
  readonly atStart: boolean;
  /** Whether a match ends where the text ends. */
  readonly atEnd: boolean;
}

/** Parses a pattern of RE2's plain syntax over ASCII; undefined for anything else. */
export function readPattern(pattern: string): PatternSyntax | undefined {
  try {
    return new PatternReader(pattern).read();
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** Thrown for unsupported syntax. */
class Unsupported extends Error {}

const bit = (code: number): CharacterSet => 1n << BigInt(code);

function range(first: string, last: string): CharacterSet {
  let set = NONE;
  for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code++) set |= bit(code);
  return set;
}

const DIGITS = range('0', '9');
const WORD = DIGITS | range('a', 'z') | range('A', 'Z') | bit(0x5f);
const SPACE = bit(0x09) | bit(0x0a) | bit(0x0c) | bit(0x0d) | bit(0x20);
const ESCAPED_SETS: Readonly<Record<string, CharacterSet>> = {
  d: DIGITS,
  D: ALL & ~DIGITS,
  w: WORD,
  W: ALL & ~WORD,
  s: SPACE,
  S: ALL & ~SPACE,
  n: bit(0x0a),
  t: bit(0x09),
};

const REPETITION = /(?:([*+?])|\{(\d+)(,(\d*))?\})(\??)/y;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
/** Characters with a meaning outside of a set. */
const META = /[\\^$.|?*+()[\]{}]/;

/** Parses the plain part of RE2's syntax. Throws {@link Unsupported} for everything else. */
class PatternReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): PatternSyntax {
    const atStart = this.#take('^');
    const root = this.#choice();
    const atEnd = this.#take('$');
    // In a choice an anchor would belong to one branch only.
    if (this.#at < this.#text.length || (root.kind === 'choice' && (atStart || atEnd)))
      throw new Unsupported();
    return { root, atStart, atEnd };
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #next(): string {
    const character = this.#text[this.#at++];
    if (character === undefined || character > '\x7f') throw new Unsupported();
    return character;
  }

  #choice(): PatternNode {
    const branches = [this.#sequence()];
    while (this.#take('|')) branches.push(this.#sequence());
    return branches.length === 1 ? (branches[0] as PatternNode) : { kind: 'choice', branches };
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (this.#at < this.#text.length && !'|)$'.includes(this.#text[this.#at] as string)) {
      items.push(this.#repetition(this.#atom()));
    }
    return { kind: 'sequence', items };
  }

  #repetition(body: PatternNode): PatternNode {
    REPETITION.lastIndex = this.#at;
    const found = REPETITION.exec(this.#text);
    if (!found) return body;
    this.#at = REPETITION.lastIndex;
    REPETITION.lastIndex = this.#at;
    if (REPETITION.test(this.#text)) throw new Unsupported();
    const [, sign, least, more, most] = found;
    if (sign !== undefined) {
      return { kind: 'repeat', body, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : undefined };
    }
    const min = Number(least);
    return { kind: 'repeat', body, min, max: more === undefined ? min : most ? Number(most) : undefined };
  }

  #atom(): PatternNode {
    const character = this.#next();
    if (character === '(') return this.#group();
    if (character === '[') return { kind: 'set', set: this.#set() };
    if (character === '.') return { kind: 'set', set: ALL & ~bit(0x0a) };
    if (character === '\\') return { kind: 'set', set: this.#escape() };
    if (META.test(character)) throw new Unsupported();
    return { kind: 'set', set: bit(character.charCodeAt(0)) };
  }

  #group(): PatternNode {
    if (!this.#take('?:') && this.#text[this.#at] === '?') throw new Unsupported();
    const inner = this.#choice();
    if (!this.#take(')')) throw new Unsupported();
    return inner;
  }

  #escape(): CharacterSet {
    const character = this.#next();
    if (PUNCTUATION.test(character)) return bit(character.charCodeAt(0));
    const set = ESCAPED_SETS[character];
    if (set === undefined) throw new Unsupported();
    return set;
  }

  #set(): CharacterSet {
    const negated = this.#take('^');
    let set = NONE;
    do {
      if (this.#text.startsWith('[:', this.#at)) throw new Unsupported();
      set |= this.#member();
    } while (!this.#take(']'));
    return negated ? ALL & ~set : set;
  }

  /** A character, an escaped set, or a range. */
  #member(): CharacterSet {
    const first = this.#next();
    const set = first === '\\' ? this.#escape() : bit(first.charCodeAt(0));
    if (this.#text[this.#at] !== '-' || this.#text[this.#at + 1] === ']') return set;
    this.#at++;
    const last = this.#next();
    if (first === '\\' || last === '\\') throw new Unsupported();
    return range(first, last);
  }
}
