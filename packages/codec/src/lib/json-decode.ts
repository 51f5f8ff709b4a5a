import { isJsonObject, type JsonValue, jsonSyntaxError, MAXIMUM_JSON_DEPTH } from '@ashlar/core';
import { DecodeError } from './decode-error.ts';
import { JsonParser, type JsonParserEvents, type WholeDecimal } from './json-parser.ts';
import { surveyJson } from './json-survey.ts';
import { decodeUtf8, decodeUtf8Strictly } from './utf8.ts';

/** What to tell besides the value. Nothing is looked for that is not asked for. */
export interface JsonDecodeOptions {
  /** `report`: repeated members are listed. In any case the last one wins. */
  readonly duplicates?: 'report';
  /** `report`: numbers such as `1.0` and `1e2` are listed, which typed integer fields refuse (semantics I4). */
  readonly wholeDecimals?: 'report';
  /** What a repeated member becomes instead of its last value: typed fields merge repeated objects. */
  readonly resolveDuplicate?: (earlier: JsonValue, later: JsonValue, path: string) => JsonValue;
}

/** A decoded text and what was noticed on the way. */
export interface DecodedJson {
  readonly value: JsonValue;
  /** Paths of repeated members as met, each once, at most 100: `metadata.labels.a`, `items[0].x` (semantics H8). */
  readonly duplicates: readonly string[];
  readonly wholeDecimals: readonly WholeDecimal[];
}

const MAXIMUM_DUPLICATES = 100;
const NONE: readonly never[] = [];

/**
 * Reads JSON (RFC 8259) as the upstream decoder does (semantics I4): invalid UTF-8 becomes U+FFFD, integers of 64 bits are exact
 * (`bigint` beyond 2^53), longer ones and decimals are doubles. Values are plain; where `1` and `1.0` must be told apart the
 * caller asks for `wholeDecimals` (ADR 0001).
 *
 * @throws DecodeError with the position in words: `invalid character '}' after object key`.
 * @example
 * decodeJson(new TextEncoder().encode('{"a":1,"a":2}'), { duplicates: 'report' });
 * // { value: { a: 2 }, duplicates: ['a'], wholeDecimals: [] }
 */
export function decodeJson(bytes: Uint8Array, options: JsonDecodeOptions = {}): DecodedJson {
  const survey = surveyJson(bytes);
  const wantsDecimals = options.wholeDecimals === 'report' && survey.decimals;
  if (survey.native && !wantsDecimals && survey.depth <= MAXIMUM_JSON_DEPTH) {
    const value = parseNatively(bytes);
    const wantsMembers = options.duplicates === 'report' || options.resolveDuplicate !== undefined;
    if (value !== undefined && (!wantsMembers || countMembers(value) === survey.members))
      return { value, duplicates: NONE, wholeDecimals: NONE };
  }
  return parseCarefully(bytes, options);
}

/** Undefined where the text is left to the careful parser, or to its error. */
function parseNatively(bytes: Uint8Array): JsonValue | undefined {
  const text = decodeUtf8Strictly(bytes);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function parseCarefully(bytes: Uint8Array, options: JsonDecodeOptions): DecodedJson {
  const fault = jsonSyntaxError(bytes);
  if (fault !== undefined) throw new DecodeError(fault);
  const duplicates = new Set<string>();
  const wholeDecimals: WholeDecimal[] = [];
  const value = new JsonParser(decodeUtf8(bytes), eventsOf(options, duplicates, wholeDecimals)).parse();
  return { value, duplicates: [...duplicates], wholeDecimals };
}

function eventsOf(
  options: JsonDecodeOptions,
  duplicates: Set<string>,
  wholeDecimals: WholeDecimal[],
): JsonParserEvents {
  return {
    ...(options.duplicates === 'report' && {
      duplicate: (path: string) => {
        if (duplicates.size < MAXIMUM_DUPLICATES) duplicates.add(path);
      },
    }),
    ...(options.resolveDuplicate && { resolve: options.resolveDuplicate }),
    ...(options.wholeDecimals === 'report' && {
      wholeDecimal: (decimal: WholeDecimal) => void wholeDecimals.push(decimal),
    }),
  };
}

/** Members of all objects of a value, deep as it may be: arrays and objects still to visit wait in a list. */
function countMembers(value: JsonValue): number {
  let members = 0;
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object' && item !== null) waiting.push(item);
    } else if (isJsonObject(next)) {
      for (const key in next) {
        members++;
        const member = next[key];
        if (typeof member === 'object' && member !== null) waiting.push(member);
      }
    }
  }
  return members;
}
