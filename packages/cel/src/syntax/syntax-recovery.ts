import { EXPRESSION_STARTS, isInfix, STARTING } from './grammar.ts';
import type { Token } from './lexer.ts';
import type { TokenReader } from './token-reader.ts';

/** Errors after which parsing goes on, as many as recoveries of release 1.32, and tokens that are skipped, each of which nests. */
const MOST = { recoveries: 30, skipped: 30 };

/** Reports tokens that cannot stand where they are, and says how parsing goes on, as in release 1.32. */
export class SyntaxRecovery {
  readonly #tokens: TokenReader;
  readonly #counts = { recoveries: 0, skipped: 0 };
  /** Where more than an expression may start, and what. */
  #first = { position: -1, starts: EXPRESSION_STARTS };

  /** Where the operand of a `!` starts. */
  #negated = -1;

  constructor(tokens: TokenReader) {
    this.#tokens = tokens;
  }

  /** At the current token more than an expression may start, as messages list it. */
  expectFirst(starts: string): void {
    this.#first = { position: this.#tokens.current.position, starts };
  }

  /** Whatever follows a minus is looked at with it; behind a `!` what cannot follow is one token too many. */
  beginOperandOf(sign: Token): void {
    const { kind, position } = this.#tokens.current;
    if (sign.kind === '!') this.#negated = position;
    else if (kind === '!' || !STARTING.has(kind)) this.#noAlternative(sign, true);
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
    const what = isExtra || this.#negated === position ? 'extraneous' : 'mismatched';
    const goesOn = isExtra ? 'skipped' : isInfix(kind) && 'recoveries';
    this.#report(`${what} input '${text}' expecting {${starts}}`, position, goesOn);
    if (isExtra) this.#tokens.advance();
    return isExtra;
  }

  /** Reports that no name follows a dot. Behind an operand an operator is read as if a name were there. */
  badName(dot: Token, optional: Token | undefined, hasOperand: boolean): void {
    const { kind, text, position } = this.#tokens.current;
    if (kind === 'true' || kind === 'false' || kind === 'null')
      this.#report(`mismatched input '${text}' expecting IDENTIFIER`, position, false);
    else if (optional && kind === 'end') this.#report("missing IDENTIFIER at '<EOF>'", position, false);
    else if (optional)
      this.#report(`mismatched input '${text}' expecting {IDENTIFIER, ESC_IDENTIFIER}`, position, false);
    else this.#noAlternative(dot, hasOperand && isInfix(kind));
  }

  /** @param from the first token of what was looked at; the current one is the last */
  #noAlternative(from: Token, goesOn: boolean): void {
    const { kind, text, position } = this.#tokens.current;
    const read = this.#tokens.text.slice(from.position, position) + (kind === 'end' ? '' : text);
    this.#report(`no viable alternative at input '${read}'`, position, goesOn && 'recoveries');
  }

  #report(message: string, position: number, goesOn: false | keyof typeof MOST): void {
    if (!goesOn || ++this.#counts[goesOn] > MOST[goesOn])
      this.#tokens.abandon(`Syntax error: ${message}`, position);
    this.#tokens.report(`Syntax error: ${message}`, position);
  }
}
