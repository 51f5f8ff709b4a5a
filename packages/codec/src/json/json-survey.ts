import { doneSteps, MAXIMUM_JSON_DEPTH, type Steps } from '@ashlar/core';
import {
  type DocumentLimits,
  MAXIMUM_DOCUMENT_VALUES,
  maximumMembers,
  tooManyValues,
} from '../serializers/document-limits.ts';

/** Result of a quick scan of JSON text. Syntax is not checked: the result is valid only for text that parses. */
export interface JsonSurvey {
  /** Number of members of all objects, duplicates included. */
  readonly members: number;
  /** Number of objects, arrays and scalars. */
  readonly values: number;
  /** Maximum nesting of arrays and objects. */
  readonly depth: number;
  /**
   * Whether `JSON.parse` returns the same value: no integer that it would round, no `-0`, no exponent, no
   * escaped surrogate.
   */
  readonly native: boolean;
  /** Whether a number is written with a fraction or an exponent. */
  readonly decimals: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Maximum digits of an integer that is certainly below 2^53. */
const SAFE_DIGITS = 15;
/** Maximum digits of a decimal without an exponent that certainly does not overflow a double. */
const SAFE_DECIMAL_LENGTH = 300;
/** In longer strings the last quote is searched for in one call, which costs as much as looking at some bytes. */
const SHORT_STRING = 32;
/** Bytes between pauses. */
const STRIDE_BYTES = 65_536;
/** Shorter texts have no object with too many members. */
const COUNTED_BYTES = 131_072;

/**
 * Counts members, values and nesting, and detects what the language's own parser does not report, in one pass
 * over the bytes. It stops at the maximum nesting.
 * @param strideBytes bytes between pauses
 * @throws DecodeError of the kind `too-large` at the maximum number of values, or of members in one object
 */
export function surveyJson(
  bytes: Uint8Array,
  limits: DocumentLimits = {},
  strideBytes: number = STRIDE_BYTES,
): Steps<JsonSurvey> {
  const surveyor = new JsonSurveyor(bytes);
  if (bytes.length > strideBytes) return surveySteps(surveyor, bytes, limits, strideBytes);
  surveyor.run(bytes.length);
  if (surveyor.depth <= MAXIMUM_JSON_DEPTH) requireLimits(surveyor, limits);
  return doneSteps(surveyor);
}

function* surveySteps(
  surveyor: JsonSurveyor,
  bytes: Uint8Array,
  limits: DocumentLimits,
  strideBytes: number,
): Steps<JsonSurvey> {
  for (let end = strideBytes; ; end += strideBytes) {
    surveyor.run(Math.min(end, bytes.length));
    if (surveyor.depth > MAXIMUM_JSON_DEPTH) return surveyor;
    requireLimits(surveyor, limits);
    if (end >= bytes.length) return surveyor;
    yield;
  }
}

function requireLimits({ values, mostMembers }: JsonSurveyor, limits: DocumentLimits): void {
  const { maximumValues = MAXIMUM_DOCUMENT_VALUES } = limits;
  if (values > maximumValues) throw tooManyValues(maximumValues);
  const most = limits.maximumMembers ?? maximumMembers(maximumValues);
  if (mostMembers > most) throw tooManyValues(most, 'members in one object');
}

class JsonSurveyor implements JsonSurvey {
  members = 0;
  depth = 0;
  native = true;
  decimals = false;
  /** Maximum number of members of an object so far. */
  mostMembers = 0;
  readonly #bytes: Uint8Array;
  #at = 0;
  #open = 0;
  /** Members so far of the open objects, by depth. */
  readonly #counts: Uint32Array | undefined;
  /** A position before which no backslash stands behind the last long string. */
  #backslash = -1;
  /** Whether the position is in a string, of which the rest has not been read. */
  #inString = false;
  /** Where the number begins whose rest has not been read, and what it consists of so far; 0 if there is none. */
  #numberStart = 0;
  #numberKind = 0;
  /** Strings, names of members among them, numbers, literals, arrays and objects. */
  #parts = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#counts = bytes.length < COUNTED_BYTES ? undefined : new Uint32Array(MAXIMUM_JSON_DEPTH + 2);
  }

  get values(): number {
    return this.#parts - this.members;
  }

  /** Advances to a position. */
  run(end: number): void {
    const bytes = this.#bytes;
    this.#finish(end);
    let members = 0;
    let parts = 0;
    let open = this.#open;
    let deepest = this.depth;
    const counts = this.#counts;
    let most = this.mostMembers;
    let i = this.#at;
    for (; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte === QUOTE) {
        parts++;
        i = this.#string(i + 1, end, i + SHORT_STRING);
      } else if (byte === 0x3a) {
        members++;
        if (counts) {
          const count = (counts[open] ?? 0) + 1;
          counts[open] = count;
          if (count > most) most = count;
        }
      } else if (byte === 0x7b || byte === 0x5b) {
        parts++;
        if (++open > deepest) deepest = open;
        if (counts) counts[open] = 0;
      } else if (byte === 0x7d || byte === 0x5d) open--;
      else if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d) {
        parts++;
        this.#numberStart = i;
        i = this.#number(i, end) - 1;
      } else if (byte === 0x74 || byte === 0x66 || byte === 0x6e) parts++;
    }
    this.#at = i;
    this.#open = open;
    this.#parts += parts;
    this.members += members;
    this.depth = deepest;
    this.mostMembers = most;
  }

  /** Goes on in the string or number that was not at its end. */
  #finish(end: number): void {
    if (this.#inString) this.#at = this.#string(this.#at, end, Number.POSITIVE_INFINITY) + 1;
    else if (this.#numberKind > 0) this.#at = this.#number(this.#at, end);
  }

  /**
   * Goes through a string, without its first quote, and gives the position of its last, or of the last byte before `end`.
   * @param searched where its end is looked for in one call
   */
  #string(start: number, end: number, searched: number): number {
    const bytes = this.#bytes;
    let i = start;
    for (let searchedAt = searched; i < end; i++) {
      if (i >= searchedAt) {
        searchedAt = Number.POSITIVE_INFINITY;
        const last = this.#plainEnd(i);
        if (last >= 0) return last;
      }
      const byte = bytes[i];
      if (byte === QUOTE) {
        this.#inString = false;
        return i;
      }
      if (byte === BACKSLASH && isSurrogateEscape(bytes, ++i)) this.native = false;
    }
    this.#inString = true;
    return i - 1;
  }

  /** Position of the next quote; negative where a backslash stands before it. */
  #plainEnd(at: number): number {
    const quote = this.#bytes.indexOf(QUOTE, at);
    const end = quote < 0 ? this.#bytes.length : quote;
    if (this.#backslash < at) {
      const next = this.#bytes.indexOf(BACKSLASH, at);
      this.#backslash = next < 0 ? Number.POSITIVE_INFINITY : next;
    }
    return this.#backslash < end ? -1 : end;
  }

  /** Reads the number that has begun, up to `end`, and returns the position after what was read. */
  #number(from: number, end: number): number {
    const bytes = this.#bytes;
    let kind = this.#numberKind;
    let i = from;
    for (; i < end; i++) {
      const next = NUMBER_BYTES[bytes[i] as number] as number;
      if (next === 0) break;
      kind |= next;
    }
    const isOver = i < end || end === bytes.length;
    this.#numberKind = isOver ? 0 : kind;
    if (isOver) this.#endNumber(i, kind);
    return i;
  }

  #endNumber(end: number, kind: number): void {
    if (kind & (FRACTION | EXPONENT)) this.decimals = true;
    if (!isNativeNumber(this.#bytes, this.#numberStart, end - this.#numberStart, kind)) this.native = false;
  }
}

const INTEGER = 1;
const FRACTION = 2;
const EXPONENT = 4;

function numberByte(byte: number): number {
  if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d) return INTEGER;
  if (byte === 0x2e) return FRACTION;
  return byte === 0x65 || byte === 0x45 || byte === 0x2b ? EXPONENT : 0;
}

const NUMBER_BYTES: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => numberByte(byte));

function isNativeNumber(bytes: Uint8Array, start: number, length: number, kind: number): boolean {
  if (kind & EXPONENT) return false;
  if (kind & FRACTION) return length < SAFE_DECIMAL_LENGTH;
  return length <= SAFE_DIGITS && !(bytes[start] === 0x2d && bytes[start + 1] === 0x30);
}

/** `\ud…` and `\uD…`, at the letter after the backslash. */
function isSurrogateEscape(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x75 && ((bytes[at + 1] ?? 0) | 0x20) === 0x64;
}
