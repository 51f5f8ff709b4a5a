import { type Token, type TokenKind, tokenize } from './lexer.ts';
import type { Issue } from './source.ts';

/** Thrown where reading cannot go on; the issue is noted already. */
export class Abandoned extends Error {}

/** Tokens after which a missing one is missed rather than another one mistaken for it. */
const CONTINUING: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'end', '==', '!=', 'in', '<', '<=', '>=', '>', '&&', '||', ')', ']', '}', ',', ':', '?', '+', '*', '/', '%',
]); // biome-ignore format: a table

/** The tokens of a text, one after the other, and their errors. */
export class TokenReader {
  readonly text: string;
  readonly issues: Issue[];
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(text: string) {
    this.text = text;
    const { tokens, issues } = tokenize(text);
    this.#tokens = tokens;
    this.issues = issues;
  }

  /** The token that is next to be read; the last is the end. */
  get current(): Token {
    return this.#tokens[this.#index] as Token;
  }

  /** The token after the current one. */
  get next(): Token | undefined {
    return this.#tokens[this.#index + 1];
  }

  /** Goes on, and gives the token that was current. */
  advance(): Token {
    const token = this.current;
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  /** Reads a token of that kind, where it is one. */
  accept(kind: TokenKind): Token | undefined {
    return this.current.kind === kind ? this.advance() : undefined;
  }

  /** Records an error and continues. */
  report(message: string, position: number): void {
    this.issues.push({ message, position });
  }

  /** Records an error and stops. Throws {@link Abandoned}. */
  abandon(message: string, position: number): never {
    this.report(message, position);
    throw new Abandoned();
  }

  /** Reports that the text goes on where the expression has ended. */
  reportLeftOver(): void {
    const next = this.next;
    const what = next?.kind === 'end' ? 'extraneous' : 'mismatched';
    this.report(`Syntax error: ${what} input '${this.current.text}' expecting <EOF>`, this.current.position);
  }

  /** Reads a token of that kind; one that is too many before it is reported and left out. Throws {@link Abandoned}. */
  expect(kind: TokenKind, alternatives: string = `'${kind}'`): Token {
    const token = this.current;
    if (token.kind === kind) return this.advance();
    if (this.next?.kind === kind) {
      this.report(`Syntax error: extraneous input '${token.text}' expecting ${alternatives}`, token.position);
      this.advance();
      return this.advance();
    }
    if (CONTINUING.has(token.kind) && alternatives === `'${kind}'`) {
      this.abandon(`Syntax error: missing '${kind}' at '${token.text}'`, token.position);
    }
    this.abandon(`Syntax error: mismatched input '${token.text}' expecting ${alternatives}`, token.position);
  }

  /** The names and dots up to a brace, read where there is one; nothing is read otherwise. */
  readMessageName(first: string): { names: string[]; brace: Token } | undefined {
    let index = this.#index;
    const names = [first];
    while (this.#tokens[index]?.kind === '.' && this.#tokens[index + 1]?.kind === 'identifier') {
      names.push((this.#tokens[index + 1] as Token).text);
      index += 2;
    }
    const brace = this.#tokens[index];
    if (brace?.kind !== '{') return undefined;
    this.#index = index + 1;
    return { names, brace };
  }
}
