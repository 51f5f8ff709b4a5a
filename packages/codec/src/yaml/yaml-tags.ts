import { decodeUtf8 } from '../serializers/utf8.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import { TextParts } from './yaml-text-parts.ts';

/** A tag as written: its handle (`!`, `!!`, `!name!`, empty for a verbatim one) and its suffix. */
export interface YamlTag {
  readonly handle: string;
  readonly suffix: string;
}

/** Parses the name after `*` or `&`. */
export function readAnchorName(cursor: YamlCursor): string {
  cursor.skip();
  const name = cursor.readName();
  const isEnded = cursor.isBlankOrEnd() || '?:,]}%@`'.includes(cursor.text.charAt(cursor.at));
  if (name === '' || !isEnded) throw cursor.fault('did not find expected alphabetic or numeric character');
  return name;
}

/** Reads tags, including their `!` (YAML 1.1 section 6.8.1), one after the other. */
export class TagReader {
  tag: YamlTag | undefined;
  readonly #cursor: YamlCursor;
  readonly #uri: UriReader;
  #handle = '';
  #isVerbatim = false;

  constructor(cursor: YamlCursor) {
    this.#cursor = cursor;
    this.#uri = new UriReader(cursor);
  }

  begin(): void {
    const cursor = this.#cursor;
    this.#isVerbatim = cursor.sees('!<');
    if (this.#isVerbatim) cursor.skip(2);
    this.#handle = this.#isVerbatim ? '' : readHandle(cursor, false);
    this.#uri.begin(this.#hasHandle ? '' : this.#handle);
  }

  get #hasHandle(): boolean {
    return this.#handle.length > 1 && this.#handle.endsWith('!');
  }

  /** Reads on in the current piece; returns whether the end was reached. */
  run(): boolean {
    const cursor = this.#cursor;
    if (!this.#uri.run()) return false;
    const suffix = this.#uri.take();
    if (this.#isVerbatim) {
      if (!cursor.sees('>')) throw cursor.fault("did not find the expected '>'");
      cursor.skip();
      this.tag = { handle: '', suffix };
    } else this.tag = this.#shortTag(suffix);
    if (!cursor.isBlankOrEnd()) throw cursor.fault('did not find expected whitespace or line break');
    return true;
  }

  #shortTag(suffix: string): YamlTag {
    if (this.#hasHandle) return { handle: this.#handle, suffix };
    return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
  }
}

function readHandle(cursor: YamlCursor, inDirective: boolean): string {
  if (!cursor.sees('!')) throw cursor.fault("did not find expected '!'");
  cursor.skip();
  let handle = `!${cursor.readName()}`;
  if (cursor.sees('!')) handle += cursor.read();
  else if (inDirective && handle !== '!') throw cursor.fault("did not find expected '!'");
  return handle;
}

/** Letters, digits and other characters of URIs; `%` begins an escape. */
const URI_CHARACTERS = /[-\w;/?:@&=+$,.!~*'()[\]]/;
const isUriCode: readonly boolean[] = Array.from({ length: 0x80 }, (_, code) =>
  URI_CHARACTERS.test(String.fromCharCode(code)),
);

function uriEnd(text: string, start: number, limit: number): number {
  const last = Math.min(limit, text.length);
  let at = start;
  while (at < last && isUriCode[text.charCodeAt(at)]) at++;
  return at;
}

/** Reads URIs, one after the other. */
class UriReader {
  readonly #cursor: YamlCursor;
  readonly #parts = new TextParts();
  #isEmpty = true;

  constructor(cursor: YamlCursor) {
    this.#cursor = cursor;
  }

  /** @param head a handle whose name belongs to the tag */
  begin(head: string): void {
    this.#parts.take();
    this.#parts.add(head.slice(1));
    this.#isEmpty = head === '';
  }

  /** Returns the URI that was read. */
  take(): string {
    return this.#parts.take();
  }

  /** Reads on in the current piece; returns whether the end was reached. */
  run(): boolean {
    const cursor = this.#cursor;
    while (!cursor.isSpent) {
      const start = cursor.at;
      cursor.skipNarrow(uriEnd(cursor.text, start, cursor.pieceEnd));
      this.#parts.add(cursor.text.slice(start, cursor.at));
      if (cursor.sees('%')) this.#parts.add(readUriEscapes(cursor));
      else if (cursor.at === start) {
        if (this.#isEmpty) throw cursor.fault('did not find expected tag URI');
        return true;
      }
      this.#isEmpty = false;
    }
    return false;
  }
}

/** The octets of one escaped character. */
function readUriEscapes(cursor: YamlCursor): string {
  const octets: number[] = [];
  let expectedOctets = 1;
  while (octets.length < expectedOctets) {
    const [, digits] = /^%([0-9a-fA-F]{2})/.exec(cursor.text.slice(cursor.at, cursor.at + 3)) ?? [];
    if (digits === undefined) throw cursor.fault('did not find URI escaped octet');
    const octet = Number.parseInt(digits, 16);
    if (octets.length > 0 && (octet & 0xc0) !== 0x80)
      throw cursor.fault('found an incorrect trailing UTF-8 octet');
    if (octets.length === 0) expectedOctets = sequenceLength(octet);
    if (expectedOctets === 0) throw cursor.fault('found an incorrect leading UTF-8 octet');
    octets.push(octet);
    cursor.skip(3);
  }
  return decodeUtf8(Uint8Array.from(octets));
}

function sequenceLength(octet: number): number {
  if (octet < 0x80) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}

/** A line that begins with `%`. */
export type YamlDirective =
  | { readonly name: 'YAML'; readonly version: string }
  | { readonly name: 'TAG'; readonly handle: string; readonly prefix: string };

/** Where the reader of a directive stands. */
type Phase = 'blanks after the name' | 'blanks after the handle' | 'prefix' | 'blanks at the end' | 'comment';

/** Reads directives and their line breaks (YAML 1.1 section 6.8), one after the other. */
export class DirectiveReader {
  directive: YamlDirective | undefined;
  readonly #cursor: YamlCursor;
  readonly #uri: UriReader;
  #phase: Phase = 'blanks after the name';
  #isVersion = false;
  #handle = '';

  constructor(cursor: YamlCursor) {
    this.#cursor = cursor;
    this.#uri = new UriReader(cursor);
  }

  /** Begins at the `%`. */
  begin(): void {
    const cursor = this.#cursor;
    cursor.skip();
    const name = cursor.readName();
    if (name === '') throw cursor.fault('could not find expected directive name');
    if (!cursor.isBlankOrEnd()) throw cursor.fault('found unexpected non-alphabetical character');
    if (name !== 'YAML' && name !== 'TAG') throw cursor.fault('found unknown directive name');
    this.#isVersion = name === 'YAML';
    this.#phase = 'blanks after the name';
  }

  /** Reads on in the current piece; returns whether the end was reached. */
  run(): boolean {
    const cursor = this.#cursor;
    while (!cursor.isSpent) {
      if (this.#phase === 'prefix') this.#readPrefix();
      else if (this.#phase === 'comment') cursor.skipLine();
      else cursor.skipBlanks();
      if (cursor.isSpent && !cursor.isBreakOrEnd()) return false;
      if (this.#endPhase()) return true;
    }
    return false;
  }

  #readPrefix(): void {
    const cursor = this.#cursor;
    if (!this.#uri.run()) return;
    if (!cursor.isBlankOrEnd()) throw cursor.fault('did not find expected whitespace or line break');
    this.directive = { name: 'TAG', handle: this.#handle, prefix: this.#uri.take() };
    this.#phase = 'blanks at the end';
  }

  /** Begins the next phase; returns whether there is none. */
  #endPhase(): boolean {
    const cursor = this.#cursor;
    if (this.#phase === 'blanks after the name') this.#readValue();
    else if (this.#phase === 'blanks after the handle') {
      this.#uri.begin('');
      this.#phase = 'prefix';
    } else if (this.#phase === 'blanks at the end' && cursor.code() === HASH) this.#phase = 'comment';
    else if (this.#phase !== 'prefix' && !cursor.isBlank()) return this.#end();
    return false;
  }

  #readValue(): void {
    const cursor = this.#cursor;
    if (this.#isVersion) {
      this.directive = readVersion(cursor);
      this.#phase = 'blanks at the end';
      return;
    }
    this.#handle = readHandle(cursor, true);
    if (!cursor.isBlank()) throw cursor.fault('did not find expected whitespace');
    this.#phase = 'blanks after the handle';
  }

  #end(): boolean {
    const cursor = this.#cursor;
    if (!cursor.isBreakOrEnd()) throw cursor.fault('did not find expected comment or line break');
    if (cursor.isBreak()) cursor.readBreak();
    return true;
  }
}

const HASH = 0x23;

function readVersion(cursor: YamlCursor): YamlDirective {
  const major = readNumber(cursor);
  if (!cursor.sees('.')) throw cursor.fault("did not find expected digit or '.' character");
  cursor.skip();
  return { name: 'YAML', version: `${major}.${readNumber(cursor)}` };
}

function readNumber(cursor: YamlCursor): number {
  const start = cursor.at;
  while (cursor.code() >= 0x30 && cursor.code() <= 0x39) {
    if (cursor.at - start >= 2) throw cursor.fault('found extremely long version number');
    cursor.skip();
  }
  if (cursor.at === start) throw cursor.fault('did not find expected version number');
  return Number(cursor.text.slice(start, cursor.at));
}
