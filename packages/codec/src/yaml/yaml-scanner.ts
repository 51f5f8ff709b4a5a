import type { Steps } from '@ashlar/core';
import { BlockScalarReader } from './yaml-block-scalar.ts';
import { YamlCursor, type YamlMark, type YamlReading } from './yaml-cursor.ts';
import { PlainScalarReader } from './yaml-plain-scalar.ts';
import { QuotedScalarReader } from './yaml-quoted-scalar.ts';
import { DirectiveReader, readAnchorName, TagReader, type YamlDirective, type YamlTag } from './yaml-tags.ts';

/** Kinds of tokens. Indentation becomes brackets: `block-mapping`, `block-sequence`, `block-end`. */
export type YamlTokenType =
  | 'stream-end'
  | 'directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence'
  | 'block-mapping'
  | 'block-end'
  | 'flow-sequence'
  | 'flow-sequence-end'
  | 'flow-mapping'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

/**
 * A token and the lines, counted from 0, on which it begins and ends. All have the same members, which keeps
 * them small.
 */
export interface YamlToken {
  readonly type: YamlTokenType;
  readonly line: number;
  readonly endLine: number;
  /** The text of a scalar, the name of an anchor or alias. */
  readonly value: string;
  readonly plain: boolean;
  readonly tag: YamlTag | undefined;
  readonly directive: YamlDirective | undefined;
}

/** A position where a key without `?` may have begun; it is one once a `:` follows on its line. */
interface SimpleKey {
  possible: boolean;
  readonly required: boolean;
  readonly tokenNumber: number;
  readonly mark: YamlMark;
}

const MAXIMUM_KEY_LENGTH = 1024;
const MAXIMUM_DEPTH = 10_000;
/** Tokens of a long text that are read before they are asked for: at least as many as are taken without a pause. */
const READY_TOKENS = 16;
const MAXIMUM_READY_TOKENS = 64;

/** An error that belongs to a token that has not been asked for. */
interface EarlyFault {
  readonly error: unknown;
}

/**
 * Splits YAML into tokens (YAML 1.1). It reads ahead as far as a key may reach, so errors have the order of
 * the reference server: the recorded messages and line numbers depend on that.
 *
 * A token may be as long as the text: {@link readAhead} reads the next ones with pauses, so that `peek` and `next` find them.
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
  readonly #hasPieces: boolean;
  /** Where the next pause is. */
  #pauseAt: number;
  /** Goes on with the token, or with what is before it, that did not end in a piece; returns whether it has ended. */
  #unfinished: (() => boolean) | undefined;
  #isInComment = false;
  #tokens: YamlToken[] = [];
  /** Index of the next token. */
  #head = 0;
  /** Index of the first token that is not certain yet: a key may have to be inserted before it. */
  #ready = 0;
  /** The number of that token in the text. */
  #parsed = 0;
  #fault: EarlyFault | undefined;
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;
  #keyAllowed = true;
  readonly #keys: SimpleKey[] = [noKey({ index: 0, line: 0, column: 0 }, 0)];
  readonly #keysByToken = new Map<number, SimpleKey>();
  #ended = false;

  constructor(text: string, reading: YamlReading) {
    const cursor = new YamlCursor(text, reading);
    this.#cursor = cursor;
    this.#plain = new PlainScalarReader(cursor);
    this.#quoted = new QuotedScalarReader(cursor);
    this.#block = new BlockScalarReader(cursor);
    this.#tag = new TagReader(cursor);
    this.#directive = new DirectiveReader(cursor);
    this.#hasPieces = text.length > cursor.pieceLength;
    this.#pauseAt = cursor.pieceLength;
  }

  /** The next token, which is not consumed. The end of the stream repeats. */
  peek(): YamlToken {
    if (this.#head === this.#ready) this.#makeReady();
    return this.#tokens[this.#head] as YamlToken;
  }

  /** Consumes the peeked token. */
  next(): YamlToken {
    const token = this.peek();
    if (token.type === 'stream-end') return token;
    this.#head++;
    if (this.#head > MAXIMUM_KEY_LENGTH) {
      this.#tokens = this.#tokens.slice(this.#head);
      this.#ready -= this.#head;
      this.#head = 0;
    }
    return token;
  }

  /** Whether so few tokens are ready that {@link readAhead} should be called. */
  get isBehind(): boolean {
    return this.#hasPieces && this.#ready - this.#head < READY_TOKENS;
  }

  /** Reads the next tokens. Their errors are thrown when they are asked for. */
  *readAhead(): Steps<void> {
    while (this.#ready - this.#head < MAXIMUM_READY_TOKENS && !this.#isOver) {
      try {
        if (this.#needsMore()) this.#fetch();
        else this.#countReady();
      } catch (error) {
        this.#fault = { error };
      }
      if (this.#cursor.at < this.#pauseAt) continue;
      this.#pauseAt = this.#cursor.at + this.#cursor.pieceLength;
      yield;
    }
  }

  /** Whether nothing more can be made ready. */
  get #isOver(): boolean {
    return this.#fault !== undefined || (this.#ended && this.#ready === this.#tokens.length);
  }

  #makeReady(): void {
    if (this.#fault) throw this.#fault.error;
    while (this.#needsMore()) this.#fetch();
    this.#countReady();
  }

  #countReady(): void {
    this.#ready++;
    this.#parsed++;
  }

  #needsMore(): boolean {
    if (this.#unfinished) return true;
    if (this.#ready === this.#tokens.length) return !this.#ended;
    if (this.#keysByToken.size === 0) return false;
    const key = this.#keysByToken.get(this.#parsed);
    return key !== undefined && this.#isValid(key) && !this.#ended;
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

  /** Returns whether it was fetched; otherwise only a part of what is before it was read. */
  #fetchToken(): boolean {
    if (!this.#skipToToken()) {
      this.#unfinished = this.#fetchLater;
      return false;
    }
    this.#unfinished = undefined;
    this.#beginToken();
    return true;
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
    this.#removeKey();
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
    this.#keys.push(noKey(this.#cursor.mark, this.#nextNumber()));
    if (++this.#flowLevel > MAXIMUM_DEPTH) throw this.#cursor.fault(`exceeded max depth of ${MAXIMUM_DEPTH}`);
    this.#keyAllowed = true;
    this.#pushCharacters(character === '[' ? 'flow-sequence' : 'flow-mapping');
  }

  #fetchFlowEnd(character: ']' | '}'): void {
    this.#removeKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      // An empty collection removes its own possible key: the reference server reads `[]: x` as `[]`.
      this.#keysByToken.delete(this.#keys.pop()?.tokenNumber ?? -1);
    }
    this.#keyAllowed = false;
    this.#pushCharacters(character === ']' ? 'flow-sequence-end' : 'flow-mapping-end');
  }

  #fetchFlowEntry(): void {
    this.#removeKey();
    this.#keyAllowed = true;
    this.#pushCharacters('flow-entry');
  }

  #fetchBlockEntry(): void {
    if (this.#flowLevel === 0) {
      this.#demandKeyAllowed('block sequence entries');
      this.#rollIndent('block-sequence', this.#cursor.mark, this.#tokens.length);
    }
    this.#removeKey();
    this.#keyAllowed = true;
    this.#pushCharacters('block-entry');
  }

  #fetchKey(): void {
    if (this.#flowLevel === 0) {
      this.#demandKeyAllowed('mapping keys');
      this.#rollIndent('block-mapping', this.#cursor.mark, this.#tokens.length);
    }
    this.#removeKey();
    this.#keyAllowed = this.#flowLevel === 0;
    this.#pushCharacters('key');
  }

  #fetchValue(): void {
    const key = this.#keys.at(-1) as SimpleKey;
    if (this.#isValid(key)) {
      const at = key.tokenNumber - this.#parsed + this.#ready;
      this.#insert('key', key.mark.line, at);
      this.#rollIndent('block-mapping', key.mark, at);
      this.#forget(key);
      this.#keyAllowed = false;
    } else {
      if (this.#flowLevel === 0) {
        this.#demandKeyAllowed('mapping values');
        this.#rollIndent('block-mapping', this.#cursor.mark, this.#tokens.length);
      }
      this.#keyAllowed = this.#flowLevel === 0;
    }
    this.#pushCharacters('value');
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
    this.#removeKey();
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

  #isValid(key: SimpleKey): boolean {
    if (!key.possible) return false;
    const { line, index } = this.#cursor;
    if (key.mark.line >= line && key.mark.index + MAXIMUM_KEY_LENGTH >= index) return true;
    if (key.required) throw this.#cursor.fault("could not find expected ':'");
    key.possible = false;
    return false;
  }

  #saveKey(): void {
    if (!this.#keyAllowed) return;
    const required = this.#flowLevel === 0 && this.#indent === this.#cursor.column;
    this.#removeKey();
    const tokenNumber = this.#nextNumber();
    const key: SimpleKey = { possible: true, required, tokenNumber, mark: this.#cursor.mark };
    this.#keys[this.#keys.length - 1] = key;
    this.#keysByToken.set(tokenNumber, key);
  }

  #nextNumber(): number {
    return this.#parsed + this.#tokens.length - this.#ready;
  }

  #removeKey(): void {
    const key = this.#keys.at(-1) as SimpleKey;
    if (!key.possible) return;
    if (key.required) throw this.#cursor.fault("could not find expected ':'");
    this.#forget(key);
  }

  #forget(key: SimpleKey): void {
    key.possible = false;
    this.#keysByToken.delete(key.tokenNumber);
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
    this.#tokens.push({ type, line, endLine: this.#cursor.line, value, plain, tag, directive });
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
    if (at === this.#tokens.length) this.#tokens.push(token);
    else this.#tokens.splice(at, 0, token);
  }
}

function noKey(mark: YamlMark, tokenNumber: number): SimpleKey {
  return { possible: false, required: false, tokenNumber, mark };
}

const HASH = 0x23;
const INDICATORS = '-?:,[]{}#&*!|>\'"%@`';

function canStartPlain(cursor: YamlCursor, inFlow: boolean): boolean {
  if (cursor.isBlankOrEnd()) return false;
  const character = cursor.text.charAt(cursor.at);
  if (!INDICATORS.includes(character)) return true;
  if (character === '-') return !cursor.isBlank(1);
  return !inFlow && (character === '?' || character === ':') && !cursor.isBlankOrEnd(1);
}
