import { decodeUtf8 } from '../serializers/utf8.ts';
import type { YamlCursor } from './yaml-cursor.ts';

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

/** Parses a tag, including its `!` (YAML 1.1 section 6.8.1). */
export function readTag(cursor: YamlCursor): YamlTag {
  const tag = cursor.sees('!<') ? readVerbatimTag(cursor) : readShortTag(cursor);
  if (!cursor.isBlankOrEnd()) throw cursor.fault('did not find expected whitespace or line break');
  return tag;
}

function readVerbatimTag(cursor: YamlCursor): YamlTag {
  cursor.skip(2);
  const suffix = readUri(cursor, '');
  if (!cursor.sees('>')) throw cursor.fault("did not find the expected '>'");
  cursor.skip();
  return { handle: '', suffix };
}

function readShortTag(cursor: YamlCursor): YamlTag {
  const handle = readHandle(cursor, false);
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: readUri(cursor, '') };
  const suffix = readUri(cursor, handle);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
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

function uriEnd(text: string, start: number): number {
  let at = start;
  while (isUriCode[text.charCodeAt(at)]) at++;
  return at;
}

/** @param head a handle whose name belongs to the tag */
function readUri(cursor: YamlCursor, head: string): string {
  let uri = head.slice(1);
  let isEmpty = head === '';
  for (;;) {
    const start = cursor.at;
    cursor.skipTo(uriEnd(cursor.text, start));
    uri += cursor.text.slice(start, cursor.at);
    if (cursor.sees('%')) uri += readUriEscapes(cursor);
    else if (cursor.at === start) break;
    isEmpty = false;
  }
  if (isEmpty) throw cursor.fault('did not find expected tag URI');
  return uri;
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

/** Parses a directive and its line break (YAML 1.1 section 6.8). */
export function readDirective(cursor: YamlCursor): YamlDirective {
  cursor.skip();
  const name = cursor.readName();
  if (name === '') throw cursor.fault('could not find expected directive name');
  if (!cursor.isBlankOrEnd()) throw cursor.fault('found unexpected non-alphabetical character');
  if (name !== 'YAML' && name !== 'TAG') throw cursor.fault('found unknown directive name');
  cursor.skipBlanks();
  const directive = name === 'YAML' ? readVersion(cursor) : readTagDirective(cursor);
  cursor.skipBlanks();
  cursor.skipComment();
  if (!cursor.isBreakOrEnd()) throw cursor.fault('did not find expected comment or line break');
  if (cursor.isBreak()) cursor.readBreak();
  return directive;
}

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

function readTagDirective(cursor: YamlCursor): YamlDirective {
  const handle = readHandle(cursor, true);
  if (!cursor.isBlank()) throw cursor.fault('did not find expected whitespace');
  cursor.skipBlanks();
  const prefix = readUri(cursor, '');
  if (!cursor.isBlankOrEnd()) throw cursor.fault('did not find expected whitespace or line break');
  return { name: 'TAG', handle, prefix };
}
