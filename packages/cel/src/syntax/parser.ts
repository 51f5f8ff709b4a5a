import { type Expression, type MapEntry, type MessageField, Operator } from './ast.ts';
import {
  ARGUMENT_STARTS,
  ELEMENT_STARTS,
  ENTRY_STARTS,
  EXPRESSION_STARTS,
  FIELD_STARTS,
  INDEX_STARTS,
  isInfix,
  PRODUCTS,
  RELATIONS,
  RESERVED,
  STARTING,
  SUMS,
} from './grammar.ts';
import type { Token, TokenKind } from './lexer.ts';
import { readLiteral } from './literal-reader.ts';
import { MacroError } from './macro-error.ts';
import { type Macro, macroKey, standardMacros, VARIABLE_ARGUMENTS } from './macros.ts';
import { Nesting } from './nesting.ts';
import { NodeFactory } from './node-factory.ts';
import type { ParseOptions, ParseResult } from './parse-options.ts';
import { Abandoned, TokenReader } from './token-reader.ts';

const DEFAULT_SIZE_LIMIT = 100_000;
const DEFAULT_DEPTH_LIMIT = 250;
/** Unexpected tokens that are skipped before parsing ends, as many as recoveries of release 1.32; each nests. */
const SKIPPED_TOKENS = 30;

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

class Parser {
  readonly #tokens: TokenReader;
  readonly #nesting: Nesting;
  readonly #macros = new Map<string, Macro>();
  readonly #optionalSyntax: boolean;
  readonly #quotedIdentifiers: boolean;
  readonly #depthLimit: number;
  readonly #make = new NodeFactory();
  #depth = 0;
  #skipped = 0;
  /** Where more than an expression may start, and what. */
  #first = { position: -1, starts: EXPRESSION_STARTS };

  constructor(text: string, options: ParseOptions) {
    this.#tokens = new TokenReader(text);
    this.#optionalSyntax = options.optionalSyntax ?? true;
    this.#quotedIdentifiers = options.quotedIdentifiers ?? false;
    this.#depthLimit = options.depthLimit ?? DEFAULT_DEPTH_LIMIT;
    this.#nesting = new Nesting(this.#tokens, this.#depthLimit);
    for (const macro of options.macros ?? standardMacros) this.#macros.set(macroKey(macro), macro);
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
      this.#call(question.position, Operator.conditional, [condition, yes, no]),
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
      return this.#nesting.atHeight(this.#call(positions[middle] as number, operator, [left, right]), height);
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
      left = this.#nesting.nested(this.#call(position, operator, [left, right]), left, right);
    }
    return left;
  }

  #unary(): Expression {
    const { kind, position } = this.#tokens.current;
    if (kind !== '!' && kind !== '-') return this.#member();
    let count = 0;
    while (this.#tokens.current.kind === kind) {
      const next = this.#tokens.next?.kind;
      // The last minus belongs to the number that follows.
      if (kind === '-' && (next === 'int' || next === 'double')) break;
      this.#tokens.advance();
      count++;
    }
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    const node = this.#call(position, kind === '!' ? Operator.not : Operator.negate, [operand]);
    return this.#nesting.atHeight(node, this.#nesting.heightOf([operand]));
  }

  #member(): Expression {
    let node = this.#primary();
    for (;;) {
      const { kind, position } = this.#tokens.current;
      if (kind === '.') node = this.#fieldOrMethod(node, position);
      else if (kind === '[') node = this.#element(node, position);
      else return node;
    }
  }

  #fieldOrMethod(operand: Expression, position: number): Expression {
    const dot = this.#tokens.advance();
    const optional = this.#tokens.accept('?');
    const name = this.#tokens.current;
    if (name.kind !== 'identifier' && name.kind !== 'quoted-identifier')
      return this.#badField(dot, optional, name, operand);
    this.#tokens.advance();
    if (!optional && name.kind === 'identifier' && this.#tokens.current.kind === '(') {
      const open = this.#tokens.advance();
      const args = this.#arguments();
      return this.#nesting.nested(this.#call(open.position, name.text, args, operand), operand, ...args);
    }
    const field = this.#fieldName(name);
    if (!optional) return this.#nesting.nested(this.#make.select(operand, field, false, position), operand);
    if (!this.#optionalSyntax) this.#tokens.report("unsupported syntax '.?'", position);
    const key = this.#make.constant(field, name.position);
    return this.#nesting.nested(
      this.#make.call(Operator.optionalSelect, [operand, key], undefined, position),
      operand,
    );
  }

  /** An operator behind a dot is read as if a name were between them. */
  #badField(dot: Token, optional: Token | undefined, name: Token, operand?: Expression): Expression {
    const shown = name.kind === 'end' ? '' : name.text;
    if (name.kind === 'true' || name.kind === 'false' || name.kind === 'null') {
      this.#tokens.abandon(`Syntax error: mismatched input '${shown}' expecting IDENTIFIER`, name.position);
    }
    const sourceText = this.#tokens.text.slice(dot.position, name.position) + shown;
    if (optional && name.kind === 'end')
      this.#tokens.abandon("Syntax error: missing IDENTIFIER at '<EOF>'", name.position);
    const message = optional
      ? `mismatched input '${name.text}' expecting {IDENTIFIER, ESC_IDENTIFIER}`
      : `no viable alternative at input '${sourceText}'`;
    if (!operand || optional || !isInfix(name.kind) || ++this.#skipped > SKIPPED_TOKENS)
      this.#tokens.abandon(`Syntax error: ${message}`, name.position);
    this.#tokens.report(`Syntax error: ${message}`, name.position);
    return operand;
  }

  #fieldName(token: Token): string {
    if (token.kind === 'identifier') return token.text;
    if (!this.#quotedIdentifiers) this.#tokens.report("unsupported syntax: '`'", token.position);
    return token.text.slice(1, -1);
  }

  #element(operand: Expression, position: number): Expression {
    this.#tokens.advance();
    const optional = this.#tokens.accept('?');
    if (optional && !this.#optionalSyntax) this.#tokens.report("unsupported syntax '[?'", position);
    if (!optional) this.#expectFirst(INDEX_STARTS);
    const index = this.#expression();
    this.#tokens.expect(']');
    const operator = optional ? Operator.optionalIndex : Operator.index;
    return this.#nesting.nested(this.#call(position, operator, [operand, index]), operand, index);
  }

  #primary(): Expression {
    const token = this.#tokens.current;
    switch (token.kind) {
      case 'identifier':
      case '.':
        return this.#name();
      case '(':
        return this.#parenthesized();
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      default:
        return readLiteral(this.#tokens, this.#make) ?? this.#unexpected(token);
    }
  }

  #parenthesized(): Expression {
    this.#tokens.advance();
    const inner = this.#expression();
    this.#tokens.expect(')');
    return inner;
  }

  #name(): Expression {
    const dot = this.#tokens.accept('.');
    if (dot && this.#tokens.current.kind !== 'identifier')
      this.#badField(dot, undefined, this.#tokens.current);
    const token = this.#tokens.expect('identifier', 'IDENTIFIER');
    const message = this.#messageLiteral(dot, token);
    if (message) return message;
    const name = dot ? `.${token.text}` : token.text;
    const open = this.#tokens.accept('(');
    if (RESERVED.has(token.text)) {
      this.#tokens.report(`reserved identifier: ${token.text}`, (dot ?? token).position);
    }
    if (!open) return this.#make.identifier(name, token.position);
    const args = this.#arguments();
    return this.#nesting.atHeight(this.#call(open.position, name, args), this.#nesting.heightOf(args));
  }

  /** `a.b.C{…}`: names and dots up to a brace. */
  #messageLiteral(dot: Token | undefined, first: Token): Expression | undefined {
    const found = this.#tokens.readMessageName(first.text);
    if (!found) return undefined;
    const typeName = (dot ? '.' : '') + found.names.join('.');
    const fields = this.#entries(() => this.#messageField(), FIELD_STARTS);
    const node = {
      kind: 'message' as const,
      id: this.#make.nextId(),
      position: found.brace.position,
      typeName,
      fields,
    };
    return this.#nesting.atHeight(node, this.#nesting.heightOf(fields.map((field) => field.value)));
  }

  #messageField(): MessageField {
    const optional = this.#optionalMark();
    const token =
      this.#tokens.current.kind === 'quoted-identifier'
        ? this.#tokens.advance()
        : this.#tokens.expect('identifier', 'IDENTIFIER');
    const name = this.#fieldName(token);
    const { position } = this.#tokens.expect(':');
    const id = this.#make.nextId();
    return { id, position, name, value: this.#expression(), optional };
  }

  #map(): Expression {
    const { position } = this.#tokens.advance();
    const entries = this.#entries(() => this.#mapEntry(), ENTRY_STARTS);
    const node = this.#make.map(entries, position);
    return this.#nesting.atHeight(
      node,
      this.#nesting.heightOf(entries.flatMap((entry) => [entry.key, entry.value])),
    );
  }

  #mapEntry(): MapEntry {
    const optional = this.#optionalMark();
    const key = this.#expression();
    const { position } = this.#tokens.expect(':');
    const id = this.#make.nextId();
    return { id, position, key, value: this.#expression(), optional };
  }

  /**
   * Entries between braces, with an optional comma at the end.
   * @param starts tokens that may follow the brace, as messages list them
   */
  #entries<T>(entry: () => T, starts: string): T[] {
    const entries: T[] = [];
    if (this.#tokens.current.kind === 'end') {
      this.#tokens.abandon(
        `Syntax error: mismatched input '<EOF>' expecting {${starts}}`,
        this.#tokens.current.position,
      );
    }
    let mayEnd = false;
    while (this.#tokens.current.kind !== '}' && !(mayEnd && this.#isAtEnd())) {
      if (entries.length === 0 && this.#tokens.accept(',')) break;
      entries.push(entry());
      mayEnd = this.#tokens.accept(',') !== undefined;
      if (!mayEnd) break;
    }
    this.#tokens.expect('}', entries.length > 0 && !mayEnd ? "{'}', ','}" : "'}'");
    return entries;
  }

  #list(): Expression {
    const { position } = this.#tokens.advance();
    const elements: Expression[] = [];
    const optionals = new Set<number>();
    this.#expectFirst(ELEMENT_STARTS);
    let mayEnd = false;
    while (this.#tokens.current.kind !== ']' && !(mayEnd && !this.#isItemNext())) {
      if (elements.length === 0 && this.#tokens.accept(',')) break;
      if (this.#optionalMark()) optionals.add(elements.length);
      elements.push(this.#expression());
      mayEnd = this.#tokens.accept(',') !== undefined;
      if (!mayEnd) break;
    }
    this.#tokens.expect(']', elements.length > 0 && !mayEnd ? "{']', ','}" : "']'");
    return this.#nesting.atHeight(
      this.#make.list(elements, optionals, position),
      this.#nesting.heightOf(elements),
    );
  }

  #isAtEnd(): boolean {
    return this.#tokens.current.kind === 'end';
  }

  #isItemNext(): boolean {
    const { kind } = this.#tokens.current;
    return kind === '?' || STARTING.has(kind);
  }

  #optionalMark(): boolean {
    const mark = this.#tokens.accept('?');
    if (mark && !this.#optionalSyntax) this.#tokens.report("unsupported syntax '?'", mark.position);
    return mark !== undefined;
  }

  #arguments(): Expression[] {
    const args: Expression[] = [];
    if (this.#tokens.accept(')')) return args;
    this.#expectFirst(ARGUMENT_STARTS);
    do args.push(this.#expression());
    while (this.#tokens.accept(','));
    this.#tokens.expect(')', "{')', ','}");
    return args;
  }

  /** At the current token more than an expression may start, as messages list it. */
  #expectFirst(starts: string): void {
    this.#first = { position: this.#tokens.current.position, starts };
  }

  /** One token too many is skipped. An operator without its left operand is read as if that were there. */
  #unexpected(token: Token): Expression {
    const { kind, text, position } = token;
    const next = this.#tokens.next;
    const isExtra = kind !== 'end' && next !== undefined && STARTING.has(next.kind);
    const starts = this.#first.position === position ? this.#first.starts : EXPRESSION_STARTS;
    const message = `Syntax error: ${isExtra ? 'extraneous' : 'mismatched'} input '${text}' expecting {${starts}}`;
    const continues = isExtra || isInfix(kind);
    if (!continues || ++this.#skipped > SKIPPED_TOKENS) this.#tokens.abandon(message, position);
    this.#tokens.report(message, position);
    if (!isExtra) return this.#make.constant(null, position);
    this.#tokens.advance();
    return this.#unary();
  }

  /** A call, or the expansion of a macro. */
  #call(position: number, name: string, args: readonly Expression[], target?: Expression): Expression {
    const member = target !== undefined;
    const macro =
      this.#macros.get(macroKey({ name, member, arguments: args.length })) ??
      this.#macros.get(macroKey({ name, member, arguments: VARIABLE_ARGUMENTS }));
    if (!macro) return this.#make.call(name, args, target, position);
    this.#make.position = position;
    try {
      const expanded = macro.expand(this.#make, args, target);
      if (!expanded) return this.#make.call(name, args, target, position);
      if (expanded.kind !== 'select') expanded.macro = { function: name, target, arguments: args };
      return expanded;
    } catch (error) {
      if (!MacroError.is(error)) throw error;
      this.#tokens.report(error.message, error.position ?? position);
      return this.#make.constant(null, position);
    }
  }
}
