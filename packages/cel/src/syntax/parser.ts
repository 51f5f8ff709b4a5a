import { type Expression, Operator } from './ast.ts';
import { Calls } from './calls.ts';
import { PRODUCTS, RELATIONS, SUMS } from './grammar.ts';
import type { TokenKind } from './lexer.ts';
import { standardMacros } from './macros.ts';
import { Nesting } from './nesting.ts';
import { NodeFactory } from './node-factory.ts';
import { OperandParser } from './operand-parser.ts';
import type { ParseOptions, ParseResult } from './parse-options.ts';
import { Abandoned, TokenReader } from './token-reader.ts';

const DEFAULT_SIZE_LIMIT = 100_000;
const DEFAULT_DEPTH_LIMIT = 250;

/**
 * Parses an expression. Never throws: errors are returned as issues with positions.
 * @example parse('1 + 2').ok // true
 */
export function parse(text: string, options: ParseOptions = {}): ParseResult {
  const sizeLimit = options.sizeLimit ?? DEFAULT_SIZE_LIMIT;
  const size = text.length > sizeLimit ? [...text].length : text.length;
  if (size > sizeLimit) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${sizeLimit}`;
    return { ok: false, issues: [{ message, position: -1 }] };
  }
  return new Parser(text, options).parse();
}

/** Reads operators and their operands. */
class Parser {
  readonly #tokens: TokenReader;
  readonly #make = new NodeFactory();
  readonly #nesting: Nesting;
  readonly #calls: Calls;
  readonly #operands: OperandParser;
  readonly #depthLimit: number;
  #depth = 0;

  constructor(text: string, options: ParseOptions) {
    const { depthLimit = DEFAULT_DEPTH_LIMIT, macros = standardMacros } = options;
    this.#depthLimit = depthLimit;
    const tokens = new TokenReader(text);
    const make = this.#make;
    const nesting = new Nesting(tokens, depthLimit);
    const calls = new Calls(tokens, make, macros);
    this.#tokens = tokens;
    this.#nesting = nesting;
    this.#calls = calls;
    const outer = { expression: () => this.#expression(), unary: () => this.#unary() };
    this.#operands = new OperandParser(outer, { tokens, make, nesting, calls }, options);
  }

  parse(): ParseResult {
    try {
      const root = this.#expression();
      if (this.#tokens.current.kind !== 'end') this.#tokens.reportLeftOver();
      if (this.#tokens.issues.length === 0) {
        return {
          ok: true,
          expression: { kind: 'parsed', text: this.#tokens.text, root, idLimit: this.#make.nextId() },
        };
      }
    } catch (error) {
      if (!(error instanceof Abandoned)) throw error;
    }
    return { ok: false, issues: this.#tokens.issues };
  }

  #expression(): Expression {
    if (++this.#depth > this.#depthLimit) {
      this.#tokens.abandon(`expression recursion limit exceeded: ${this.#depthLimit}`, -1);
    }
    const expression = this.#conditional();
    this.#depth--;
    return expression;
  }

  #conditional(): Expression {
    const condition = this.#or();
    const question = this.#tokens.accept('?');
    if (!question) return condition;
    const yes = this.#or();
    this.#tokens.expect(':');
    const no = this.#expression();
    return this.#nesting.nested(
      this.#calls.call(question.position, Operator.conditional, [condition, yes, no]),
      condition,
      yes,
      no,
    );
  }

  #or(): Expression {
    return this.#chain('||', Operator.or, () => this.#and());
  }

  #and(): Expression {
    return this.#chain('&&', Operator.and, () => this.#relation());
  }

  /** Terms joined by one logic operator become a balanced tree, so that long chains stay shallow. */
  #chain(kind: TokenKind, operator: string, term: () => Expression): Expression {
    const first = term();
    if (this.#tokens.current.kind !== kind) return first;
    const terms = [first];
    const positions: number[] = [];
    for (let token = this.#tokens.accept(kind); token; token = this.#tokens.accept(kind)) {
      positions.push(token.position);
      terms.push(term());
    }
    const height = this.#nesting.heightOf(terms);
    const balance = (low: number, high: number): Expression => {
      const middle = (low + high + 1) >> 1;
      const left = middle === low ? (terms[middle] as Expression) : balance(low, middle - 1);
      const right = middle === high ? (terms[middle + 1] as Expression) : balance(middle + 1, high);
      return this.#nesting.atHeight(
        this.#calls.call(positions[middle] as number, operator, [left, right]),
        height,
      );
    };
    return balance(0, positions.length - 1);
  }

  #relation(): Expression {
    return this.#leftAssociative(RELATIONS, () => this.#sum());
  }

  #sum(): Expression {
    return this.#leftAssociative(SUMS, () => this.#leftAssociative(PRODUCTS, () => this.#unary()));
  }

  #leftAssociative(
    operators: Readonly<Partial<Record<TokenKind, string>>>,
    operand: () => Expression,
  ): Expression {
    let left = operand();
    for (
      let operator = operators[this.#tokens.current.kind];
      operator;
      operator = operators[this.#tokens.current.kind]
    ) {
      const { position } = this.#tokens.advance();
      const right = operand();
      left = this.#nesting.nested(this.#calls.call(position, operator, [left, right]), left, right);
    }
    return left;
  }

  #unary(): Expression {
    const { kind, position } = this.#tokens.current;
    if (kind !== '!' && kind !== '-') return this.#operands.member();
    let count = 0;
    let last = this.#tokens.current;
    while (this.#tokens.current.kind === kind) {
      const next = this.#tokens.next?.kind;
      // The last minus belongs to the number that follows.
      if (kind === '-' && (next === 'int' || next === 'double')) break;
      last = this.#tokens.advance();
      count++;
    }
    const operand = this.#operands.negated(last);
    if (count % 2 === 0) return operand;
    const node = this.#calls.call(position, kind === '!' ? Operator.not : Operator.negate, [operand]);
    return this.#nesting.atHeight(node, this.#nesting.heightOf([operand]));
  }
}
