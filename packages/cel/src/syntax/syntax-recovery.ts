import { EXPRESSION_STARTS, isInfix, STARTING } from './grammar.ts';
import type { Token } from './lexer.ts';
import type { TokenReader } from './token-reader.ts';

/** Wrong tokens after which parsing goes on, as many as recoveries of release 1.32; each nests. */
const MOST_RECOVERIES = 30;

/** Reports tokens that cannot stand where they are, and says how parsing goes on, as in release 1.32. */
export class SyntaxRecovery {
  readonly #tokens: TokenReader;
  #recoveries = 0;
  /** Where more than an expression may start, and what. */
  #first = { position: -1, starts: EXPRESSION_STARTS };

  constructor(tokens: TokenReader) {
    this.#tokens = tokens;
  }

  /** At the current token more than an expression may start, as messages list it. */
  expectFirst(starts: string): void {
    this.#first = { position: this.#tokens.current.position, starts };
  }

  /**
   * Reports that no expression starts with the current token. One token too many is skipped; an operator is left, to be read as if its left
   * operand were there.
   * @returns whether the token has been skipped
   */
  unexpected(): boolean {
    const { kind, text, position } = this.#tokens.current;
    const next = this.#tokens.next;
    const isExtra = kind !== 'end' && next !== undefined && STARTING.has(next.kind);
    const starts = this.#first.position === position ? this.#first.starts : EXPRESSION_STARTS;
    const what = isExtra ? 'extraneous' : 'mismatched';
    this.#report(`${what} input '${text}' expecting {${starts}}`, position, isExtra || isInfix(kind));
    if (isExtra) this.#tokens.advance();
    return isExtra;
  }

  /** Reports that no name follows a dot. Behind an operand an operator is read as if a name were there. */
  badName(dot: Token, optional: Token | undefined, hasOperand: boolean): void {
    const { kind, text, position } = this.#tokens.current;
    const shown = kind === 'end' ? '' : text;
    if (kind === 'true' || kind === 'false' || kind === 'null')
      this.#report(`mismatched input '${shown}' expecting IDENTIFIER`, position, false);
    else if (optional && kind === 'end') this.#report("missing IDENTIFIER at '<EOF>'", position, false);
    else if (optional)
      this.#report(`mismatched input '${text}' expecting {IDENTIFIER, ESC_IDENTIFIER}`, position, false);
    else {
      const read = this.#tokens.text.slice(dot.position, position) + shown;
      this.#report(`no viable alternative at input '${read}'`, position, hasOperand && isInfix(kind));
    }
  }

  #report(message: string, position: number, goesOn: boolean): void {
    if (!goesOn || ++this.#recoveries > MOST_RECOVERIES)
      this.#tokens.abandon(`Syntax error: ${message}`, position);
    this.#tokens.report(`Syntax error: ${message}`, position);
  }
}
