import { type Expression, type MapEntry, type MessageField, Operator, type ParsedExpression } from './ast.ts';
import { type Token, type TokenKind, tokenize } from './lexer.ts';
import { bytesLiteral, doubleLiteral, intLiteral, stringLiteral, uintLiteral } from './literals.ts';
import { type Macro, MacroError, macroKey, standardMacros, VARIABLE_ARGUMENTS } from './macros.ts';
import { NodeFactory } from './node-factory.ts';
import type { Issue } from './source.ts';
import type { Value } from './values.ts';

/** What is accepted as an expression. */
export interface ParseOptions {
  /** Calls that are rewritten while parsing; by default those of the language itself. */
  readonly macros?: readonly Macro[];
  /** Whether `a.?b`, `a[?b]`, `[?a]` and `{?a: b}` are syntax; by default they are. */
  readonly optionalSyntax?: boolean;
  /** Whether a field may be written between backquotes; by default it may not. */
  readonly quotedIdentifiers?: boolean;
  /** Most code points of an expression, 100,000 unless told. */
  readonly sizeLimit?: number;
  /** Deepest nesting, 250 unless told. */
  readonly depthLimit?: number;
}

/** What parsing gave: a tree, or everything that is wrong. */
export type ParseResult =
  | { readonly ok: true; readonly expression: ParsedExpression }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const DEFAULT_SIZE_LIMIT = 100_000;
const DEFAULT_DEPTH_LIMIT = 250;

/**
 * Reads an expression. Never throws: what cannot be read comes back as issues with places.
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

/** Thrown inside the parser where it cannot go on; the issue is noted already. */
class Abandoned extends Error {}

const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const RELATIONS: Readonly<Partial<Record<TokenKind, string>>> = {
  '<': Operator.less,
  '<=': Operator.lessEquals,
  '>': Operator.greater,
  '>=': Operator.greaterEquals,
  '==': Operator.equals,
  '!=': Operator.notEquals,
  in: Operator.in,
};
const SUMS: Readonly<Partial<Record<TokenKind, string>>> = { '+': Operator.add, '-': Operator.subtract };
const PRODUCTS: Readonly<Partial<Record<TokenKind, string>>> = {
  '*': Operator.multiply,
  '/': Operator.divide,
  '%': Operator.modulo,
};

const EXPRESSION_STARTS =
  "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";
const ENTRY_STARTS =
  "'[', '{', '}', '(', '.', ',', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";
const STARTING: ReadonlySet<TokenKind> = new Set<TokenKind>([
  '[', '{', '(', '.', '-', '!', 'true', 'false', 'null', 'double', 'int', 'uint', 'string', 'bytes', 'identifier',
]); // biome-ignore format: a table
const CONTINUING: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'end', '==', '!=', 'in', '<', '<=', '>=', '>', '&&', '||', ')', ']', '}', ',', ':', '?', '+', '*', '/', '%',
]); // biome-ignore format: a table

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #issues: Issue[];
  readonly #macros = new Map<string, Macro>();
  readonly #optionalSyntax: boolean;
  readonly #quotedIdentifiers: boolean;
  readonly #depthLimit: number;
  readonly #make = new NodeFactory();
  /** How deep each chain of operators is nested, by node id. */
  readonly #heights: number[] = [];
  #index = 0;
  #depth = 0;

  constructor(text: string, options: ParseOptions) {
    this.#text = text;
    const { tokens, issues } = tokenize(text);
    this.#tokens = tokens;
    this.#issues = issues;
    this.#optionalSyntax = options.optionalSyntax ?? true;
    this.#quotedIdentifiers = options.quotedIdentifiers ?? false;
    this.#depthLimit = options.depthLimit ?? DEFAULT_DEPTH_LIMIT;
    for (const macro of options.macros ?? standardMacros) this.#macros.set(macroKey(macro), macro);
  }

  parse(): ParseResult {
    try {
      const root = this.#expression();
      if (this.#token.kind !== 'end') this.#leftOver();
      if (this.#issues.length === 0) {
        return { ok: true, expression: { text: this.#text, root, idLimit: this.#make.nextId() } };
      }
    } catch (error) {
      if (!(error instanceof Abandoned)) throw error;
    }
    return { ok: false, issues: this.#issues };
  }

  get #token(): Token {
    return this.#tokens[this.#index] as Token;
  }

  #advance(): Token {
    const token = this.#token;
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  #accept(kind: TokenKind): Token | undefined {
    return this.#token.kind === kind ? this.#advance() : undefined;
  }

  #report(message: string, position: number): void {
    this.#issues.push({ message, position });
  }

  #abandon(message: string, position: number): never {
    this.#report(message, position);
    throw new Abandoned();
  }

  #leftOver(): void {
    const next = this.#tokens[this.#index + 1];
    const what = next?.kind === 'end' ? 'extraneous' : 'mismatched';
    this.#report(`Syntax error: ${what} input '${this.#token.text}' expecting <EOF>`, this.#token.position);
  }

  #expect(kind: TokenKind, alternatives: string = `'${kind}'`): Token {
    const token = this.#token;
    if (token.kind === kind) return this.#advance();
    if (this.#tokens[this.#index + 1]?.kind === kind) {
      this.#report(
        `Syntax error: extraneous input '${token.text}' expecting ${alternatives}`,
        token.position,
      );
      this.#advance();
      return this.#advance();
    }
    if (CONTINUING.has(token.kind) && alternatives === `'${kind}'`) {
      this.#abandon(`Syntax error: missing '${kind}' at '${token.text}'`, token.position);
    }
    this.#abandon(`Syntax error: mismatched input '${token.text}' expecting ${alternatives}`, token.position);
  }

  /** Notes a node that nests its operands one deeper. */
  #nested<T extends Expression>(node: T, ...operands: readonly Expression[]): T {
    let height = 0;
    for (const operand of operands) height = Math.max(height, this.#heights[operand.id] ?? 0);
    return this.#atHeight(node, height + 1);
  }

  #atHeight<T extends Expression>(node: T, height: number): T {
    if (height > this.#depthLimit) this.#abandon('max recursion depth exceeded', -1);
    this.#heights[node.id] = height;
    return node;
  }

  #heightOf(nodes: readonly Expression[]): number {
    let height = 0;
    for (const node of nodes) height = Math.max(height, this.#heights[node.id] ?? 0);
    return height;
  }

  #expression(): Expression {
    if (++this.#depth > this.#depthLimit) {
      this.#abandon(`expression recursion limit exceeded: ${this.#depthLimit}`, -1);
    }
    const condition = this.#or();
    this.#depth--;
    const question = this.#accept('?');
    if (!question) return condition;
    const yes = this.#or();
    this.#expect(':');
    const no = this.#expression();
    return this.#nested(
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
    if (this.#token.kind !== kind) return first;
    const terms = [first];
    const positions: number[] = [];
    for (let token = this.#accept(kind); token; token = this.#accept(kind)) {
      positions.push(token.position);
      terms.push(term());
    }
    const height = this.#heightOf(terms);
    const balance = (low: number, high: number): Expression => {
      const middle = (low + high + 1) >> 1;
      const left = middle === low ? (terms[middle] as Expression) : balance(low, middle - 1);
      const right = middle === high ? (terms[middle + 1] as Expression) : balance(middle + 1, high);
      return this.#atHeight(this.#call(positions[middle] as number, operator, [left, right]), height);
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
    for (let operator = operators[this.#token.kind]; operator; operator = operators[this.#token.kind]) {
      const { position } = this.#advance();
      const right = operand();
      left = this.#nested(this.#call(position, operator, [left, right]), left, right);
    }
    return left;
  }

  #unary(): Expression {
    const { kind, position } = this.#token;
    if (kind !== '!' && kind !== '-') return this.#member();
    let count = 0;
    while (this.#token.kind === kind) {
      const next = this.#tokens[this.#index + 1]?.kind;
      // The last minus belongs to the number that follows.
      if (kind === '-' && (next === 'int' || next === 'double')) break;
      this.#advance();
      count++;
    }
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    const node = this.#call(position, kind === '!' ? Operator.not : Operator.negate, [operand]);
    return this.#atHeight(node, this.#heightOf([operand]));
  }

  #member(): Expression {
    let node = this.#primary();
    for (;;) {
      const { kind, position } = this.#token;
      if (kind === '.') node = this.#fieldOrMethod(node, position);
      else if (kind === '[') node = this.#index_(node, position);
      else return node;
    }
  }

  #fieldOrMethod(operand: Expression, position: number): Expression {
    const dot = this.#advance();
    const optional = this.#accept('?');
    const name = this.#advance();
    if (name.kind !== 'identifier' && name.kind !== 'quoted-identifier') this.#badField(dot, optional, name);
    if (!optional && name.kind === 'identifier' && this.#token.kind === '(') {
      const open = this.#advance();
      const args = this.#arguments();
      return this.#nested(this.#call(open.position, name.text, args, operand), operand, ...args);
    }
    const field = this.#fieldName(name);
    if (!optional) return this.#nested(this.#make.select(operand, field, false, position), operand);
    if (!this.#optionalSyntax) this.#report("unsupported syntax '.?'", position);
    const key = this.#make.constant(field, name.position);
    return this.#nested(
      this.#make.call(Operator.optionalSelect, [operand, key], undefined, position),
      operand,
    );
  }

  #badField(dot: Token, optional: Token | undefined, name: Token): never {
    const shown = name.kind === 'end' ? '' : name.text;
    if (name.kind === 'true' || name.kind === 'false' || name.kind === 'null') {
      this.#abandon(`Syntax error: mismatched input '${shown}' expecting IDENTIFIER`, name.position);
    }
    const seen = this.#text.slice(dot.position, name.position) + shown;
    const message =
      optional || name.kind === 'end'
        ? `mismatched input '${name.text}' expecting {IDENTIFIER, ESC_IDENTIFIER}`
        : `no viable alternative at input '${seen}'`;
    this.#abandon(`Syntax error: ${message}`, name.position);
  }

  #fieldName(token: Token): string {
    if (token.kind === 'identifier') return token.text;
    if (!this.#quotedIdentifiers) this.#report("unsupported syntax: '`'", token.position);
    return token.text.slice(1, -1);
  }

  #index_(operand: Expression, position: number): Expression {
    this.#advance();
    const optional = this.#accept('?');
    if (optional && !this.#optionalSyntax) this.#report("unsupported syntax '[?'", position);
    const index = this.#expression();
    this.#expect(']');
    const operator = optional ? Operator.optionalIndex : Operator.index;
    return this.#nested(this.#call(position, operator, [operand, index]), operand, index);
  }

  #primary(): Expression {
    const token = this.#token;
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
        return this.#literal(token);
    }
  }

  #parenthesized(): Expression {
    this.#advance();
    const inner = this.#expression();
    this.#expect(')');
    return inner;
  }

  #name(): Expression {
    const dot = this.#accept('.');
    const token = this.#expect('identifier', 'IDENTIFIER');
    const message = this.#messageLiteral(dot, token);
    if (message) return message;
    const name = dot ? `.${token.text}` : token.text;
    const open = this.#accept('(');
    if (RESERVED.has(token.text)) {
      this.#report(`reserved identifier: ${token.text}`, (dot ?? token).position);
    }
    if (!open) return this.#make.identifier(name, token.position);
    const args = this.#arguments();
    return this.#atHeight(this.#call(open.position, name, args), this.#heightOf(args));
  }

  /** `a.b.C{…}`: names and dots up to a brace. */
  #messageLiteral(dot: Token | undefined, first: Token): Expression | undefined {
    let index = this.#index;
    const names = [first.text];
    while (this.#tokens[index]?.kind === '.' && this.#tokens[index + 1]?.kind === 'identifier') {
      names.push((this.#tokens[index + 1] as Token).text);
      index += 2;
    }
    const brace = this.#tokens[index];
    if (brace?.kind !== '{') return undefined;
    this.#index = index + 1;
    const typeName = (dot ? '.' : '') + names.join('.');
    const fields = this.#entries(() => this.#messageField());
    const node = {
      kind: 'message' as const,
      id: this.#make.nextId(),
      position: brace.position,
      typeName,
      fields,
    };
    return this.#atHeight(node, this.#heightOf(fields.map((field) => field.value)));
  }

  #messageField(): MessageField {
    const optional = this.#optionalMark();
    const token =
      this.#token.kind === 'quoted-identifier' ? this.#advance() : this.#expect('identifier', 'IDENTIFIER');
    const name = this.#fieldName(token);
    const { position } = this.#expect(':');
    const id = this.#make.nextId();
    return { id, position, name, value: this.#expression(), optional };
  }

  #map(): Expression {
    const { position } = this.#advance();
    const entries = this.#entries(() => this.#mapEntry());
    const node = this.#make.map(entries, position);
    return this.#atHeight(node, this.#heightOf(entries.flatMap((entry) => [entry.key, entry.value])));
  }

  #mapEntry(): MapEntry {
    const optional = this.#optionalMark();
    const key = this.#expression();
    const { position } = this.#expect(':');
    const id = this.#make.nextId();
    return { id, position, key, value: this.#expression(), optional };
  }

  /** Entries between braces, with an optional comma at the end. */
  #entries<T>(entry: () => T): T[] {
    const entries: T[] = [];
    if (this.#token.kind === 'end') {
      this.#abandon(
        `Syntax error: mismatched input '<EOF>' expecting {${ENTRY_STARTS}}`,
        this.#token.position,
      );
    }
    while (this.#token.kind !== '}') {
      if (entries.length === 0 && this.#accept(',')) break;
      entries.push(entry());
      if (!this.#accept(',')) break;
    }
    this.#expect('}', entries.length > 0 ? "{'}', ','}" : "'}'");
    return entries;
  }

  #list(): Expression {
    const { position } = this.#advance();
    const elements: Expression[] = [];
    const optionals = new Set<number>();
    while (this.#token.kind !== ']') {
      if (elements.length === 0 && this.#accept(',')) break;
      if (this.#optionalMark()) optionals.add(elements.length);
      elements.push(this.#expression());
      if (!this.#accept(',')) break;
    }
    this.#expect(']', elements.length > 0 ? "{']', ','}" : "']'");
    return this.#atHeight(this.#make.list(elements, optionals, position), this.#heightOf(elements));
  }

  #optionalMark(): boolean {
    const mark = this.#accept('?');
    if (mark && !this.#optionalSyntax) this.#report("unsupported syntax '?'", mark.position);
    return mark !== undefined;
  }

  #arguments(): Expression[] {
    const args: Expression[] = [];
    if (this.#accept(')')) return args;
    do args.push(this.#expression());
    while (this.#accept(','));
    this.#expect(')', "{')', ','}");
    return args;
  }

  #literal(token: Token): Expression {
    const negative = token.kind === '-';
    const number = negative ? this.#tokens[this.#index + 1] : token;
    if (!number) return this.#unexpected(token);
    const { position } = token;
    switch (number.kind) {
      case 'int':
        return this.#constant(
          intLiteral(number.text, negative),
          'invalid int literal',
          position,
          negative ? 2 : 1,
        );
      case 'double':
        return this.#constant(
          doubleLiteral(number.text, negative),
          'invalid double literal',
          position,
          negative ? 2 : 1,
        );
    }
    switch (token.kind) {
      case 'uint':
        return this.#constant(uintLiteral(token.text), 'invalid uint literal', position, 1);
      case 'string':
        return this.#quoted(stringLiteral(token.text), position);
      case 'bytes':
        return this.#quoted(bytesLiteral(token.text), position);
      case 'true':
      case 'false':
        return this.#constant(token.kind === 'true', '', position, 1);
      case 'null':
        return this.#constant(null, '', position, 1);
      default:
        return this.#unexpected(token);
    }
  }

  #constant(value: Value | undefined, error: string, position: number, tokens: number): Expression {
    this.#index += tokens;
    if (value === undefined) this.#report(error, position);
    return this.#make.constant(value ?? null, position);
  }

  #quoted(result: { value: Value } | { error: string }, position: number): Expression {
    const failed = 'error' in result;
    return this.#constant(failed ? undefined : result.value, failed ? result.error : '', position, 1);
  }

  #unexpected(token: Token): Expression {
    const next = this.#tokens[this.#index + 1];
    const skippable = token.kind !== 'end' && next !== undefined && STARTING.has(next.kind);
    const message = `Syntax error: ${skippable ? 'extraneous' : 'mismatched'} input '${token.text}' expecting {${EXPRESSION_STARTS}}`;
    if (!skippable) this.#abandon(message, token.position);
    this.#report(message, token.position);
    this.#advance();
    return this.#unary();
  }

  /** A call, or what a macro makes of it. */
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
      if (!(error instanceof MacroError)) throw error;
      this.#report(error.message, error.position ?? position);
      return this.#make.constant(null, position);
    }
  }
}
