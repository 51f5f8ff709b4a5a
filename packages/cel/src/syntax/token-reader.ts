import { type Token, type TokenKind, tokenize } from './lexer.ts';
import type { Issue } from './source.ts';

/** Thrown when parsing cannot continue; the issue is already recorded. */
export class Abandoned extends Error {}

/** Always the same: nobody reads its stack, which would cost more than the parser. */
const ABANDONED = new Abandoned();

/** Tokens after which a missing token is reported rather than a wrong one. */
const CONTINUING: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'end', '==', '!=', 'in', '<', '<=', '>=', '>', '&&', '||', ')', ']', '}', ',', ':', '?', '+', '*', '/', '%',
]); // biome-ignore format: a table

/** The tokens of a text in order, and their errors. */
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

  /** The current token; the last is the end. */
  get current(): Token {
    return this.#tokens[this.#index] as Token;
  }

  /** The token after the current one. */
  get next(): Token | undefined {
    return this.#tokens[this.#index + 1];
  }

  /** Advances, and returns the previous token. */
  advance(): Token {
    const token = this.current;
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  /** Reads a token of that kind, if it is next. */
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
    throw ABANDONED;
  }

  /** Reports text after the end of the expression. */
  reportLeftOver(): void {
    const next = this.next;
    const what = next?.kind === 'end' ? 'extraneous' : 'mismatched';
    this.report(`Syntax error: ${what} input '${this.current.text}' expecting <EOF>`, this.current.position);
  }

  /** Reads a token of that kind; one extra token before it is reported and skipped. Throws {@link Abandoned}. */
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

  /** Reads names and dots up to a brace; nothing if there is none. */
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
