import { BlockScalarReader } from './yaml-block-scalar.ts';
import { YamlCursor, type YamlMark, type YamlReading } from './yaml-cursor.ts';
import { canStartPlain, PlainScalarReader } from './yaml-plain-scalar.ts';
import { QuotedScalarReader } from './yaml-quoted-scalar.ts';
import { SimpleKeys } from './yaml-simple-keys.ts';
import { DirectiveReader, readAnchorName, TagReader, type YamlDirective, type YamlTag } from './yaml-tags.ts';
import type { YamlToken, YamlTokenType } from './yaml-token.ts';

const MAXIMUM_DEPTH = 10_000;

/**
 * Splits YAML into tokens (YAML 1.1). It reads ahead as far as a key may reach, so errors have the order of
 * the reference server: the recorded messages and line numbers depend on that.
 *
 * @throws YamlFault
 */
export class YamlScanner {
  readonly #cursor: YamlCursor;
  readonly #plain: PlainScalarReader;
  readonly #quoted: QuotedScalarReader;
  readonly #block: BlockScalarReader;
  readonly #tag: TagReader;
  readonly #directive: DirectiveReader;
  /** Goes on with the token, or with what is before it, that did not end in a piece; returns whether it has ended. */
  #unfinished: (() => boolean) | undefined;
  #isInComment = false;
  /** The tokens that have been read and not been forgotten. */
  tokens: YamlToken[] = [];
  /** How many of them are certain: before others a key may have to be inserted. */
  certain = 0;
  /** The number of the first other token in the text. */
  #parsed = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;
  #keyAllowed = true;
  readonly #keys: SimpleKeys;
  #ended = false;

  constructor(text: string, reading: YamlReading) {
    const cursor = new YamlCursor(text, reading);
    this.#cursor = cursor;
    this.#keys = new SimpleKeys(cursor);
    this.#plain = new PlainScalarReader(cursor);
    this.#quoted = new QuotedScalarReader(cursor);
    this.#block = new BlockScalarReader(cursor);
    this.#tag = new TagReader(cursor);
    this.#directive = new DirectiveReader(cursor);
  }

  /** Reads a token, or a part of a long one, or finds that the next token is certain. */
  advance(): void {
    if (this.#needsMore()) this.#fetch();
    else {
      this.certain++;
      this.#parsed++;
    }
  }

  /** Whether all tokens are certain. */
  get isOver(): boolean {
    return this.#ended && this.certain === this.tokens.length;
  }

  /** How much of the text has been read. */
  get at(): number {
    return this.#cursor.at;
  }

  /** Forgets the first tokens, which are certain. */
  forget(count: number): void {
    this.tokens = this.tokens.slice(count);
    this.certain -= count;
  }

  #needsMore(): boolean {
    if (this.#unfinished) return true;
    if (this.certain === this.tokens.length) return !this.#ended;
    return this.#keys.mayBegin(this.#parsed) && !this.#ended;
  }

  /** Reads a piece of the text: a token, or a part of a long one. */
  #fetch(): void {
    this.#cursor.beginPiece();
    if (!this.#unfinished) this.#fetchToken();
    else if (this.#unfinished()) this.#unfinished = undefined;
  }

  /** Goes on later with what has not ended. */
  #finish(run: () => boolean): void {
    if (!run()) this.#unfinished = run;
  }

  /** Begins the next token, unless only a part of what is before it was read. */
  #fetchToken(): void {
    if (!this.#skipToToken()) {
      this.#unfinished = this.#fetchLater;
      return;
    }
    this.#unfinished = undefined;
    this.#beginToken();
  }

  readonly #fetchLater = (): boolean => {
    this.#fetchToken();
    return this.#unfinished === undefined;
  };

  #beginToken(): void {
    const cursor = this.#cursor;
    this.#unrollIndent(cursor.column);
    if (cursor.isEnd()) this.#fetchStreamEnd();
    else if (cursor.column === 0 && cursor.sees('%')) this.#fetchDirective();
    else if (cursor.isDocumentIndicator()) this.#fetchDocumentIndicator();
    else if (!this.#fetchIndicator(cursor.text.charAt(cursor.at))) this.#fetchPlainScalar();
  }

  #fetchIndicator(character: string): boolean {
    const isBlankOrEnd = this.#cursor.isBlankOrEnd(1);
    const inFlow = this.#flowLevel > 0;
    if (character === '[' || character === '{') this.#fetchFlowStart(character);
    else if (character === ']' || character === '}') this.#fetchFlowEnd(character);
    else if (character === ',') this.#fetchFlowEntry();
    else if (character === '-' && isBlankOrEnd) this.#fetchBlockEntry();
    else if (character === '?' && (inFlow || isBlankOrEnd)) this.#fetchKey();
    else if (character === ':' && (inFlow || isBlankOrEnd)) this.#fetchValue();
    else if (character === '*' || character === '&') this.#fetchAnchor(character);
    else if (character === '!') this.#fetchTag();
    else if ((character === '|' || character === '>') && !inFlow) this.#fetchBlockScalar(character === '|');
    else if (character === "'" || character === '"') this.#fetchQuotedScalar(character === "'");
    else return false;
    return true;
  }

  /** Blanks, comments and breaks. A tab is invalid where a key may begin. Returns whether the end of them was reached. */
  #skipToToken(): boolean {
    const cursor = this.#cursor;
    while (!cursor.isSpent) {
      if (this.#isInComment) cursor.skipLine();
      else this.#skipToComment();
      if (cursor.isBreak()) {
        this.#isInComment = false;
        cursor.readBreak();
        if (this.#flowLevel === 0) this.#keyAllowed = true;
      } else if (this.#isInComment && !cursor.isEnd()) continue;
      else if (cursor.code() !== HASH) return !cursor.isSpent || cursor.isEnd();
      else this.#isInComment = true;
    }
    return false;
  }

  #skipToComment(): void {
    const cursor = this.#cursor;
    if (cursor.column === 0 && cursor.code() === 0xfeff) cursor.skip();
    if (this.#flowLevel > 0 || !this.#keyAllowed) cursor.skipBlanks();
    else cursor.skipSpaces(Number.POSITIVE_INFINITY);
  }

  #fetchStreamEnd(): void {
    const cursor = this.#cursor;
    if (cursor.column !== 0) {
      cursor.column = 0;
      cursor.line++;
    }
    this.#endBlocks();
    this.#push('stream-end', cursor.line);
    this.#ended = true;
  }

  #endBlocks(): void {
    this.#unrollIndent(-1);
    this.#keys.remove();
    this.#keyAllowed = false;
  }

  #fetchDirective(): void {
    this.#endBlocks();
    const { line } = this.#cursor;
    const reader = this.#directive;
    reader.begin();
    this.#finish(() => {
      if (!reader.run()) return false;
      this.#push('directive', line, '', false, undefined, reader.directive);
      return true;
    });
  }

  #fetchDocumentIndicator(): void {
    this.#endBlocks();
    this.#pushCharacters(this.#cursor.sees('-') ? 'document-start' : 'document-end', 3);
  }

  #fetchFlowStart(character: '[' | '{'): void {
    this.#saveKey();
    this.#keys.enter(this.#nextNumber());
    if (++this.#flowLevel > MAXIMUM_DEPTH) throw this.#cursor.fault(`exceeded max depth of ${MAXIMUM_DEPTH}`);
    this.#keyAllowed = true;
    this.#pushCharacters(character === '[' ? 'flow-sequence' : 'flow-mapping');
  }

  #fetchFlowEnd(character: ']' | '}'): void {
    this.#keys.remove();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      this.#keys.leave();
    }
    this.#keyAllowed = false;
    this.#pushCharacters(character === ']' ? 'flow-sequence-end' : 'flow-mapping-end');
  }

  #fetchFlowEntry(): void {
    this.#keys.remove();
    this.#keyAllowed = true;
    this.#pushCharacters('flow-entry');
  }

  #fetchBlockEntry(): void {
    if (this.#flowLevel === 0) {
      this.#demandKeyAllowed('block sequence entries');
      this.#rollIndent('block-sequence', this.#cursor.mark, this.tokens.length);
    }
    this.#keys.remove();
    this.#keyAllowed = true;
    this.#pushCharacters('block-entry');
  }

  #fetchKey(): void {
    if (this.#flowLevel === 0) {
      this.#demandKeyAllowed('mapping keys');
      this.#rollIndent('block-mapping', this.#cursor.mark, this.tokens.length);
    }
    this.#keys.remove();
    this.#keyAllowed = this.#flowLevel === 0;
    this.#pushCharacters('key');
  }

  #fetchValue(): void {
    const key = this.#keys.take();
    if (key) {
      this.#insert('key', key.mark.line, this.#placeOf(key.tokenNumber));
      this.#rollIndent('block-mapping', key.mark, this.#placeOf(key.tokenNumber));
      this.#keyAllowed = false;
    } else {
      if (this.#flowLevel === 0) {
        this.#demandKeyAllowed('mapping values');
        this.#rollIndent('block-mapping', this.#cursor.mark, this.tokens.length);
      }
      this.#keyAllowed = this.#flowLevel === 0;
    }
    this.#pushCharacters('value');
  }

  /** Where a token is inserted before that of a number: at the end if that one is certain, as the reference server does. */
  #placeOf(tokenNumber: number): number {
    if (tokenNumber < this.#parsed) return this.tokens.length;
    return tokenNumber - this.#parsed + this.certain;
  }

  #demandKeyAllowed(what: string): void {
    if (!this.#keyAllowed) throw this.#cursor.fault(`${what} are not allowed in this context`);
  }

  #fetchAnchor(character: '*' | '&'): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = this.#cursor;
    const value = readAnchorName(this.#cursor);
    this.#push(character === '*' ? 'alias' : 'anchor', line, value);
  }

  #fetchTag(): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = this.#cursor;
    const reader = this.#tag;
    reader.begin();
    this.#finish(() => {
      if (!reader.run()) return false;
      this.#push('tag', line, '', false, reader.tag);
      return true;
    });
  }

  #fetchBlockScalar(literal: boolean): void {
    this.#keys.remove();
    this.#keyAllowed = true;
    const { line } = this.#cursor;
    const reader = this.#block;
    this.#cursor.skip();
    reader.begin(literal, this.#indent);
    this.#finish(() => {
      if (!reader.run()) return false;
      this.#push('scalar', line, reader.take());
      return true;
    });
  }

  #fetchQuotedScalar(single: boolean): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = this.#cursor;
    this.#quoted.begin(single);
    if (!this.#readQuoted(line)) this.#unfinished = () => this.#readQuoted(line);
  }

  #readQuoted(line: number): boolean {
    if (!this.#quoted.run()) return false;
    this.#push('scalar', line, this.#quoted.take());
    return true;
  }

  #fetchPlainScalar(): void {
    const cursor = this.#cursor;
    const inFlow = this.#flowLevel > 0;
    if (!canStartPlain(cursor, inFlow)) throw cursor.fault('found character that cannot start any token');
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = cursor;
    this.#plain.begin(inFlow, this.#indent);
    if (!this.#readPlain(line)) this.#unfinished = () => this.#readPlain(line);
  }

  #readPlain(line: number): boolean {
    const reader = this.#plain;
    if (!reader.run()) return false;
    this.#push('scalar', line, reader.take(), true);
    if (reader.endsLine) this.#keyAllowed = true;
    return true;
  }

  #saveKey(): void {
    if (!this.#keyAllowed) return;
    const isRequired = this.#flowLevel === 0 && this.#indent === this.#cursor.column;
    this.#keys.save(this.#nextNumber(), isRequired);
  }

  #nextNumber(): number {
    return this.#parsed + this.tokens.length - this.certain;
  }

  #rollIndent(type: 'block-sequence' | 'block-mapping', mark: YamlMark, at: number): void {
    if (this.#flowLevel > 0 || this.#indent >= mark.column) return;
    this.#indents.push(this.#indent);
    if (this.#indents.length > MAXIMUM_DEPTH)
      throw this.#cursor.fault(`exceeded max depth of ${MAXIMUM_DEPTH}`);
    this.#indent = mark.column;
    this.#insert(type, mark.line, at);
  }

  #unrollIndent(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#push('block-end', this.#cursor.line);
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  #pushCharacters(type: YamlTokenType, characters = 1): void {
    this.#cursor.skip(characters);
    this.#push(type, this.#cursor.line);
  }

  #push(
    type: YamlTokenType,
    line: number,
    value = '',
    plain = false,
    tag?: YamlTag,
    directive?: YamlDirective,
  ): void {
    this.tokens.push({ type, line, endLine: this.#cursor.line, value, plain, tag, directive });
  }

  #insert(type: YamlTokenType, line: number, at: number): void {
    const token = {
      type,
      line,
      endLine: line,
      value: '',
      plain: false,
      tag: undefined,
      directive: undefined,
    };
    if (at === this.tokens.length) this.tokens.push(token);
    else this.tokens.splice(at, 0, token);
  }
}

const HASH = 0x23;
