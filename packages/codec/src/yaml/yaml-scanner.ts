import { YamlCursor, type YamlMark } from './yaml-cursor.ts';
import { readBlockScalar, readPlainScalar, readQuotedScalar } from './yaml-scalars.ts';
import { readAnchorName, readDirective, readTag, type YamlDirective, type YamlTag } from './yaml-tags.ts';

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

/**
 * Splits YAML into tokens (YAML 1.1). It reads ahead as far as a key may reach, so errors have the order of
 * the reference server: the recorded messages and line numbers depend on that.
 *
 * @throws YamlFault
 */
export class YamlScanner {
  readonly #cursor: YamlCursor;
  #tokens: YamlToken[] = [];
  #head = 0;
  #parsed = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;
  #keyAllowed = true;
  readonly #keys: SimpleKey[] = [noKey({ index: 0, line: 0, column: 0 }, 0)];
  readonly #keysByToken = new Map<number, SimpleKey>();
  #ended = false;

  constructor(text: string, maximumLines: number) {
    this.#cursor = new YamlCursor(text, maximumLines);
  }

  /** The next token, which is not consumed. The end of the stream repeats. */
  peek(): YamlToken {
    while (this.#needsMore()) this.#fetch();
    return this.#tokens[this.#head] as YamlToken;
  }

  /** Consumes the peeked token. */
  next(): YamlToken {
    const token = this.peek();
    if (token.type === 'stream-end') return token;
    this.#head++;
    this.#parsed++;
    if (this.#head > MAXIMUM_KEY_LENGTH) {
      this.#tokens = this.#tokens.slice(this.#head);
      this.#head = 0;
    }
    return token;
  }

  #needsMore(): boolean {
    if (this.#head === this.#tokens.length) return !this.#ended;
    if (this.#keysByToken.size === 0) return false;
    const key = this.#keysByToken.get(this.#parsed);
    return key !== undefined && this.#isValid(key) && !this.#ended;
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
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

  /** Blanks, comments and breaks. A tab is invalid where a key may begin. */
  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      if (cursor.column === 0 && cursor.code() === 0xfeff) cursor.skip();
      while (cursor.isSpace() || (cursor.isTab() && (this.#flowLevel > 0 || !this.#keyAllowed)))
        cursor.skip();
      cursor.skipComment();
      if (!cursor.isBreak()) return;
      cursor.readBreak();
      if (this.#flowLevel === 0) this.#keyAllowed = true;
    }
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
    const directive = readDirective(this.#cursor);
    this.#push('directive', line, '', false, undefined, directive);
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
      const at = key.tokenNumber - this.#parsed + this.#head;
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
    const tag = readTag(this.#cursor);
    this.#push('tag', line, '', false, tag);
  }

  #fetchBlockScalar(literal: boolean): void {
    this.#removeKey();
    this.#keyAllowed = true;
    const { line } = this.#cursor;
    this.#cursor.skip();
    const value = readBlockScalar(this.#cursor, literal, this.#indent);
    this.#push('scalar', line, value);
  }

  #fetchQuotedScalar(single: boolean): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = this.#cursor;
    const value = readQuotedScalar(this.#cursor, single);
    this.#push('scalar', line, value);
  }

  #fetchPlainScalar(): void {
    const cursor = this.#cursor;
    if (!canStartPlain(cursor, this.#flowLevel > 0))
      throw cursor.fault('found character that cannot start any token');
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = cursor;
    const { value, endsLine } = readPlainScalar(cursor, this.#flowLevel > 0, this.#indent);
    this.#push('scalar', line, value, true);
    if (endsLine) this.#keyAllowed = true;
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
    return this.#parsed + this.#tokens.length - this.#head;
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

const INDICATORS = '-?:,[]{}#&*!|>\'"%@`';

function canStartPlain(cursor: YamlCursor, inFlow: boolean): boolean {
  if (cursor.isBlankOrEnd()) return false;
  const character = cursor.text.charAt(cursor.at);
  if (!INDICATORS.includes(character)) return true;
  if (character === '-') return !cursor.isBlank(1);
  return !inFlow && (character === '?' || character === ':') && !cursor.isBlankOrEnd(1);
}
