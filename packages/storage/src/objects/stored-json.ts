/**
 * Positions in the bytes of a stored object at which its resource version is inserted, or its type is
 * removed.
 */
export interface Seams {
  /** Offset of the first member that is neither `kind` nor `apiVersion`. */
  readonly item: number;
  /** Offset at which the resource version is inserted. */
  readonly version: number;
  /** Separators around the resource version there. */
  readonly join: 'comma-before' | 'comma-after' | 'alone';
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const encoder = new TextEncoder();
const KIND = encoder.encode('kind');
const API_VERSION = encoder.encode('apiVersion');
const METADATA = encoder.encode('metadata');
const UID = encoder.encode('uid');
const LABELS = encoder.encode('labels');
const decoder = new TextDecoder();

/**
 * Finds the positions in an object's JSON without parsing it: reads forward, skipping values, until it is in
 * `metadata` after `uid`, which is near the front in everything that the codecs write.
 *
 * @throws TypeError if the bytes are not a JSON object with `metadata`
 */
export function findSeams(json: Uint8Array): Seams {
  let at = enter(json, 0);
  let item = -1;
  while (json[at] === QUOTE) {
    const end = stringEnd(json, at);
    if (item < 0 && !isWord(json, at, end, KIND) && !isWord(json, at, end, API_VERSION)) item = at;
    const value = valueStart(json, end);
    if (isWord(json, at, end, METADATA)) return { item, ...versionSeam(json, value) };
    at = nextMember(json, valueEnd(json, value));
  }
  throw new TypeError('the stored value is not a JSON object with metadata');
}

/**
 * The labels of an object's JSON, without parsing the rest of it; undefined if it has none.
 *
 * @throws TypeError if the bytes are not a JSON object with `metadata`
 * @throws SyntaxError if the labels are not JSON
 */
export function readLabels(json: Uint8Array): Readonly<Record<string, string>> | undefined {
  const metadata = findMember(json, 0, METADATA);
  if (metadata < 0) throw new TypeError('the stored value is not a JSON object with metadata');
  const labels = findMember(json, metadata, LABELS);
  if (labels < 0) return undefined;
  const value: unknown = JSON.parse(decoder.decode(json.subarray(labels, valueEnd(json, labels))));
  return typeof value === 'object' && value !== null ? (value as Record<string, string>) : undefined;
}

/** The `apiVersion` and `kind` of an object's JSON, without parsing the rest of it; empty where it has none. */
export function readType(json: Uint8Array): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: readText(json, API_VERSION), kind: readText(json, KIND) };
}

function readText(json: Uint8Array, name: Uint8Array): string {
  const from = findMember(json, 0, name);
  if (from < 0) return '';
  const value: unknown = JSON.parse(decoder.decode(json.subarray(from, valueEnd(json, from))));
  return typeof value === 'string' ? value : '';
}

/**
 * Of an object's JSON only the members that lead to a value, as JSON, without parsing it: `{"spec":{"size":3}}`, or as far as it has them.
 *
 * @param path names of members, in ASCII letters, digits, `-` and `_`
 * @throws TypeError if the bytes do not begin a JSON object
 */
export function readPart(json: Uint8Array, path: readonly string[]): Uint8Array {
  const opened: string[] = [];
  let value = 0;
  for (const name of path) {
    const next = findMember(json, value, encoder.encode(name));
    if (next < 0) return encoder.encode(`${opened.join('')}{${'}'.repeat(opened.length + 1)}`);
    opened.push(`{"${name}":`);
    value = next;
    // what is no object is the end of the path
    if (json[value] !== OPEN_BRACE) break;
  }
  return around(opened.join(''), json.subarray(value, valueEnd(json, value)), '}'.repeat(opened.length));
}

/** JSON between two texts in ASCII. */
function around(before: string, json: Uint8Array, after: string): Uint8Array {
  const bytes = new Uint8Array(before.length + json.length + after.length);
  writeAscii(bytes, 0, before);
  bytes.set(json, before.length);
  writeAscii(bytes, before.length + json.length, after);
  return bytes;
}

/**
 * Whether the metadata of an object's JSON has one of these members, without parsing it.
 *
 * @throws TypeError if the bytes are no JSON object with `metadata`
 */
export function hasMetadata(json: Uint8Array, names: readonly Uint8Array[]): boolean {
  const metadata = findMember(json, 0, METADATA);
  if (metadata < 0) throw new TypeError('the stored value is not a JSON object with metadata');
  for (let at = enter(json, metadata); json[at] === QUOTE; ) {
    const end = stringEnd(json, at);
    for (const name of names) if (isWord(json, at, end, name)) return true;
    at = nextMember(json, valueEnd(json, valueStart(json, end)));
  }
  return false;
}

/** Where the value of a member begins; -1 if the object that begins at `from` has no such member. */
function findMember(json: Uint8Array, from: number, name: Uint8Array): number {
  let at = enter(json, from);
  while (json[at] === QUOTE) {
    const end = stringEnd(json, at);
    const value = valueStart(json, end);
    if (isWord(json, at, end, name)) return value;
    at = nextMember(json, valueEnd(json, value));
  }
  return -1;
}

/** The JSON with `"resourceVersion":"revision"` inserted. */
export function withResourceVersion(json: Uint8Array, seams: Seams, revision: number): Uint8Array {
  const text = versionMember(seams, revision);
  const spliced = new Uint8Array(json.length + text.length);
  // moved, and not copied in two parts: views of the parts would cost more than the bytes
  spliced.set(json);
  spliced.copyWithin(seams.version + text.length, seams.version, json.length);
  writeAscii(spliced, seams.version, text);
  return spliced;
}

/** The same after a comma; unless it is `named`, without the leading `kind` and `apiVersion`. */
export function toListItem(json: Uint8Array, seams: Seams, revision: number, named: boolean): Uint8Array {
  const item = splice(
    json,
    { from: named ? json.indexOf(OPEN_BRACE) + 1 : seams.item, to: json.length, room: 2 },
    seams,
    revision,
  );
  item[0] = COMMA;
  item[1] = OPEN_BRACE;
  return item;
}

/** Length of what `toListItem` returns. */
export function listItemLength(json: Uint8Array, seams: Seams, revision: number, named: boolean): number {
  return (
    2 + json.length - (named ? json.indexOf(OPEN_BRACE) + 1 : seams.item) + versionLength(seams, revision)
  );
}

/** Only the value of `metadata`, with the resource version. */
export function toMetadata(json: Uint8Array, seams: Seams, revision: number): Uint8Array {
  const from = findMember(json, 0, METADATA);
  return splice(json, { from, to: valueEnd(json, from), room: 0 }, seams, revision);
}

/** Which bytes to copy, and how many to leave free before them. */
interface Cut {
  readonly from: number;
  readonly to: number;
  readonly room: number;
}

function splice(json: Uint8Array, { from, to, room }: Cut, seams: Seams, revision: number): Uint8Array {
  const text = versionMember(seams, revision);
  const spliced = new Uint8Array(room + to - from + text.length);
  const seam = room + seams.version - from;
  spliced.set(json.subarray(from, seams.version), room);
  writeAscii(spliced, seam, text);
  spliced.set(json.subarray(seams.version, to), seam + text.length);
  return spliced;
}

function writeAscii(bytes: Uint8Array, at: number, text: string): void {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
}

/** Length of `versionMember`. */
function versionLength({ join }: Seams, revision: number): number {
  return String(revision).length + (join === 'alone' ? 20 : 21);
}

/** The resource version member, with its separators. */
function versionMember({ join }: Seams, revision: number): string {
  const member = `"resourceVersion":"${revision}"`;
  if (join === 'alone') return member;
  return join === 'comma-before' ? `,${member}` : `${member},`;
}

function versionSeam(json: Uint8Array, metadata: number): Omit<Seams, 'item'> {
  const first = enter(json, metadata);
  let at = first;
  while (json[at] === QUOTE) {
    const end = stringEnd(json, at);
    const after = valueEnd(json, valueStart(json, end));
    const next = nextMember(json, after);
    if (isWord(json, at, end, UID))
      // only where members are in the order of their names is it the last one
      return json[next] === QUOTE
        ? { version: after, join: 'comma-before' }
        : { version: at, join: 'comma-after' };
    at = next;
  }
  return { version: first, join: json[first] === CLOSE_BRACE ? 'alone' : 'comma-after' };
}

/** The first token inside the object that begins here. */
function enter(json: Uint8Array, from: number): number {
  const at = skipBlanks(json, from);
  if (json[at] !== OPEN_BRACE) throw new TypeError('the stored value is not a JSON object with metadata');
  return skipBlanks(json, at + 1);
}

/** So many bytes of a string are looked at one by one: to call `indexOf` costs as much. */
const SHORT = 48;

/** The position after the string that begins here. */
function stringEnd(json: Uint8Array, from: number): number {
  const end = Math.min(json.length, from + SHORT);
  for (let at = from + 1; at < end; at++) {
    const byte = json[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) break;
  }
  return longStringEnd(json, from);
}

function longStringEnd(json: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    at = json.indexOf(QUOTE, at + 1);
    if (at < 0) return json.length;
    let escapes = 0;
    while (json[at - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
}

function valueStart(json: Uint8Array, afterName: number): number {
  const at = skipBlanks(json, afterName);
  return json[at] === COLON ? skipBlanks(json, at + 1) : json.length;
}

function valueEnd(json: Uint8Array, from: number): number {
  if (json[from] === QUOTE) return stringEnd(json, from);
  let depth = 0;
  for (let at = from; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = stringEnd(json, at) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth-- === 0) return at;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && byte === COMMA) return at;
  }
  return json.length;
}

/** The quote that opens the next member's name; another byte if there is none. */
function nextMember(json: Uint8Array, afterValue: number): number {
  const at = skipBlanks(json, afterValue);
  return json[at] === COMMA ? skipBlanks(json, at + 1) : at;
}

function skipBlanks(json: Uint8Array, from: number): number {
  let at = from;
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at++;
  return at;
}

function isWord(json: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  if (end - start !== word.length + 2) return false;
  for (let i = 0; i < word.length; i++) if (json[start + 1 + i] !== word[i]) return false;
  return true;
}
