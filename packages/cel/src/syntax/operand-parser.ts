import { type Expression, type MapEntry, type MessageField, Operator } from './ast.ts';
import type { Calls } from './calls.ts';
import {
  ARGUMENT_STARTS,
  ELEMENT_STARTS,
  ENTRY_STARTS,
  FIELD_STARTS,
  INDEX_STARTS,
  RESERVED,
  STARTING,
} from './grammar.ts';
import type { Token } from './lexer.ts';
import { readLiteral } from './literal-reader.ts';
import type { Nesting } from './nesting.ts';
import type { NodeFactory } from './node-factory.ts';
import type { ParseOptions } from './parse-options.ts';
import { SyntaxRecovery } from './syntax-recovery.ts';
import type { TokenReader } from './token-reader.ts';

/** What operands consist of in turn. */
interface OuterParser {
  expression(): Expression;
  unary(): Expression;
}

interface Parts {
  readonly tokens: TokenReader;
  readonly make: NodeFactory;
  readonly nesting: Nesting;
  readonly calls: Calls;
}

/** Reads operands: literals, names, calls, lists, maps and messages, and what is selected from them. */
export class OperandParser {
  readonly #outer: OuterParser;
  readonly #tokens: TokenReader;
  readonly #make: NodeFactory;
  readonly #nesting: Nesting;
  readonly #calls: Calls;
  readonly #recovery: SyntaxRecovery;
  readonly #optionalSyntax: boolean;
  readonly #quotedIdentifiers: boolean;

  constructor(outer: OuterParser, { tokens, make, nesting, calls }: Parts, options: ParseOptions) {
    this.#outer = outer;
    this.#tokens = tokens;
    this.#make = make;
    this.#nesting = nesting;
    this.#calls = calls;
    this.#recovery = new SyntaxRecovery(tokens);
    this.#optionalSyntax = options.optionalSyntax ?? true;
    this.#quotedIdentifiers = options.quotedIdentifiers ?? false;
  }

  /** The operand of a negation. @param sign the last one before it */
  negated(sign: Token): Expression {
    this.#recovery.beginOperandOf(sign);
    return this.#tokens.current.kind === '!' ? this.#outer.unary() : this.member();
  }

  /** An operand with what is selected from it. */
  member(): Expression {
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
    if (name.kind !== 'identifier' && name.kind !== 'quoted-identifier') {
      this.#recovery.badName(dot, optional, true);
      return operand;
    }
    this.#tokens.advance();
    if (!optional && name.kind === 'identifier' && this.#tokens.current.kind === '(') {
      const open = this.#tokens.advance();
      const args = this.#arguments();
      return this.#nesting.nested(
        this.#calls.call(open.position, name.text, args, operand),
        operand,
        ...args,
      );
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

  #fieldName(token: Token): string {
    if (token.kind === 'identifier') return token.text;
    if (!this.#quotedIdentifiers) this.#tokens.report("unsupported syntax: '`'", token.position);
    return token.text.slice(1, -1);
  }

  #element(operand: Expression, position: number): Expression {
    this.#tokens.advance();
    const optional = this.#tokens.accept('?');
    if (optional && !this.#optionalSyntax) this.#tokens.report("unsupported syntax '[?'", position);
    if (!optional) this.#recovery.expectFirst(INDEX_STARTS);
    const index = this.#outer.expression();
    this.#tokens.expect(']');
    const operator = optional ? Operator.optionalIndex : Operator.index;
    return this.#nesting.nested(this.#calls.call(position, operator, [operand, index]), operand, index);
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
    const inner = this.#outer.expression();
    this.#tokens.expect(')');
    return inner;
  }

  #name(): Expression {
    const dot = this.#tokens.accept('.');
    if (dot && this.#tokens.current.kind !== 'identifier') this.#recovery.badName(dot, undefined, false);
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
    return this.#nesting.atHeight(this.#calls.call(open.position, name, args), this.#nesting.heightOf(args));
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
    return { id, position, name, value: this.#outer.expression(), optional };
  }

  #map(): Expression {
    const { position } = this.#tokens.advance();
    this.#recovery.expectFirst(ENTRY_STARTS);
    const entries = this.#entries(() => this.#mapEntry(), ENTRY_STARTS);
    const node = this.#make.map(entries, position);
    return this.#nesting.atHeight(
      node,
      this.#nesting.heightOf(entries.flatMap((entry) => [entry.key, entry.value])),
    );
  }

  #mapEntry(): MapEntry {
    const optional = this.#optionalMark();
    const key = this.#outer.expression();
    const { position } = this.#tokens.expect(':');
    const id = this.#make.nextId();
    return { id, position, key, value: this.#outer.expression(), optional };
  }

  /**
   * Entries between braces.
   * @param starts tokens that may follow the brace, as messages list them
   */
  #entries<T>(entry: () => T, starts: string): T[] {
    const { kind, position } = this.#tokens.current;
    if (kind === 'end')
      this.#tokens.abandon(`Syntax error: mismatched input '<EOF>' expecting {${starts}}`, position);
    return this.#items('}', entry);
  }

  #list(): Expression {
    const { position } = this.#tokens.advance();
    const optionals = new Set<number>();
    this.#recovery.expectFirst(ELEMENT_STARTS);
    let index = 0;
    const elements = this.#items(']', () => {
      if (this.#optionalMark()) optionals.add(index);
      index++;
      return this.#outer.expression();
    });
    return this.#nesting.atHeight(
      this.#make.list(elements, optionals, position),
      this.#nesting.heightOf(elements),
    );
  }

  /** Items up to a bracket, with an optional comma at the end. */
  #items<T>(close: ']' | '}', item: () => T): T[] {
    const items: T[] = [];
    let mayEnd = false;
    while (this.#tokens.current.kind !== close && !(mayEnd && !this.#isItemNext())) {
      if (items.length === 0 && this.#tokens.accept(',')) break;
      items.push(item());
      mayEnd = this.#tokens.accept(',') !== undefined;
      if (!mayEnd) break;
    }
    this.#tokens.expect(close, items.length > 0 && !mayEnd ? `{'${close}', ','}` : `'${close}'`);
    return items;
  }

  #isItemNext(): boolean {
    const { kind } = this.#tokens.current;
    return kind === '?' || kind === 'quoted-identifier' || STARTING.has(kind);
  }

  #optionalMark(): boolean {
    const mark = this.#tokens.accept('?');
    if (mark && !this.#optionalSyntax) this.#tokens.report("unsupported syntax '?'", mark.position);
    return mark !== undefined;
  }

  #arguments(): Expression[] {
    const args: Expression[] = [];
    if (this.#tokens.accept(')')) return args;
    this.#recovery.expectFirst(ARGUMENT_STARTS);
    do args.push(this.#outer.expression());
    while (this.#tokens.accept(','));
    this.#tokens.expect(')', "{')', ','}");
    return args;
  }

  #unexpected({ position }: Token): Expression {
    return this.#recovery.unexpected() ? this.#outer.unary() : this.#make.constant(null, position);
  }
}
