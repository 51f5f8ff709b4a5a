import {
  isJsonObject,
  type JsonValue,
  jsonSyntaxErrorSteps,
  MAXIMUM_JSON_DEPTH,
  parseJsonSteps,
  runAtOnce,
  type Steps,
} from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';
import { type DocumentLimits, MAXIMUM_DOCUMENT_VALUES } from '../serializers/document-limits.ts';
import { decodeUtf8, decodeUtf8Strictly } from '../serializers/utf8.ts';
import { JsonParser, type JsonParserEvents, type WholeDecimal } from './json-parser.ts';
import { surveyJson } from './json-survey.ts';

/** What to report in addition to the value. Only what is requested is searched for. */
export interface JsonDecodeOptions extends DocumentLimits {
  /** `report`: repeated members are listed. In any case the last one wins. */
  readonly duplicates?: 'report';
  /** `report`: numbers such as `1.0` and `1e2`, which typed integer fields reject, are listed, at most 100. */
  readonly wholeDecimals?: 'report';
  /** Resolves a repeated member to something else than its last value: typed fields merge repeated objects. */
  readonly resolveDuplicate?: (earlier: JsonValue, later: JsonValue) => JsonValue;
}

/** A decoded text and its findings. */
export interface DecodedJson {
  readonly value: JsonValue;
  /** Number of values: objects, lists and scalars, including repeated members. */
  readonly values: number;
  /**
   * Paths of repeated members in order, each once, at most 100: `metadata.labels.a`, `items[0].x`
   * (semantics/schemas#strictness).
   */
  readonly duplicates: readonly string[];
  readonly wholeDecimals: readonly WholeDecimal[];
}

const MAXIMUM_REPORTED = 100;
/** Maximum total length of reported paths: with deep nesting each may be as long as the text. */
const MAXIMUM_PATH_CHARACTERS = 1_000_000;
/** Values between pauses. */
const STRIDE = 1024;
const NONE: readonly never[] = [];

/**
 * Decodes JSON (RFC 8259) as the reference server does (semantics/encodings#json): invalid UTF-8 becomes
 * U+FFFD, integers of 64 bits are exact (`bigint` beyond 2^53), longer ones and decimals are doubles. Values
 * are plain; where `1` and `1.0` must be distinguished, request `wholeDecimals` (ADR 0001).
 *
 * @throws DecodeError with the error in words: `invalid character '}' after object key`; of the kind
 * `too-large` beyond the limits of {@link DocumentLimits}
 * @example
 * decodeJson(new TextEncoder().encode('{"a":1,"a":2}'), { duplicates: 'report' });
 * // { value: { a: 2 }, duplicates: ['a'], wholeDecimals: [] }
 */
export function decodeJson(bytes: Uint8Array, options: JsonDecodeOptions = {}): DecodedJson {
  return runAtOnce(decodeJsonSteps(bytes, options));
}

/** As {@link decodeJson}, with pauses. */
export function* decodeJsonSteps(bytes: Uint8Array, options: JsonDecodeOptions = {}): Steps<DecodedJson> {
  const survey = yield* surveyJson(bytes, options.maximumValues ?? MAXIMUM_DOCUMENT_VALUES);
  const wantsDecimals = options.wholeDecimals === 'report' && survey.decimals;
  if (survey.native && !wantsDecimals && survey.depth <= MAXIMUM_JSON_DEPTH) {
    const value = yield* parseNatively(bytes);
    const wantsMembers = options.duplicates === 'report' || options.resolveDuplicate !== undefined;
    if (value !== undefined && (!wantsMembers || (yield* countMembers(value)) === survey.members))
      return { value, values: survey.values, duplicates: NONE, wholeDecimals: NONE };
  }
  return { ...(yield* parseCarefully(bytes, options)), values: survey.values };
}

/**
 * Checks that a JSON text is within the limits, for callers that parse it themselves; its syntax is not
 * checked.
 * @throws DecodeError of the kind `too-large` for too many values; of the kind `malformed` for too much
 * nesting
 */
export function* requireJsonLimits(bytes: Uint8Array, limits: DocumentLimits = {}): Steps<void> {
  const survey = yield* surveyJson(bytes, limits.maximumValues ?? MAXIMUM_DOCUMENT_VALUES);
  if (survey.depth <= MAXIMUM_JSON_DEPTH) return;
  const fault = yield* jsonSyntaxErrorSteps(bytes);
  if (fault !== undefined) throw new DecodeError(fault);
}

/** Undefined if the text is left to the careful parser, or to its error. */
function* parseNatively(bytes: Uint8Array): Steps<JsonValue | undefined> {
  const text = decodeUtf8Strictly(bytes);
  if (text === undefined) return undefined;
  try {
    return yield* parseJsonSteps(text);
  } catch {
    return undefined;
  }
}

function* parseCarefully(bytes: Uint8Array, options: JsonDecodeOptions): Steps<Omit<DecodedJson, 'values'>> {
  const fault = yield* jsonSyntaxErrorSteps(bytes);
  if (fault !== undefined) throw new DecodeError(fault);
  const duplicates = new Set<string>();
  const wholeDecimals: WholeDecimal[] = [];
  const value = yield* new JsonParser(
    decodeUtf8(bytes),
    eventsOf(options, duplicates, wholeDecimals),
  ).parse();
  return { value, duplicates: [...duplicates], wholeDecimals };
}

function eventsOf(
  options: JsonDecodeOptions,
  duplicates: Set<string>,
  wholeDecimals: WholeDecimal[],
): JsonParserEvents {
  let characters = 0;
  const counted = (path: string): string => {
    characters += path.length;
    return path;
  };
  const isFull = (reported: number): boolean =>
    reported >= MAXIMUM_REPORTED || characters > MAXIMUM_PATH_CHARACTERS;
  return {
    ...(options.duplicates === 'report' && {
      duplicate: (path: () => string) => {
        if (!isFull(duplicates.size)) duplicates.add(counted(path()));
      },
    }),
    ...(options.resolveDuplicate && { resolve: options.resolveDuplicate }),
    ...(options.wholeDecimals === 'report' && {
      wholeDecimal: (text: string, path: () => string) => {
        if (!isFull(wholeDecimals.length)) wholeDecimals.push({ path: counted(path()), text });
      },
    }),
  };
}

/** Counts members of all objects of a value, with an explicit stack. */
function* countMembers(value: JsonValue): Steps<number> {
  let members = 0;
  let pause = STRIDE;
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object' && item !== null) waiting.push(item);
      pause -= next.length;
    } else if (isJsonObject(next)) {
      for (const key in next) {
        members++;
        const member = next[key];
        if (typeof member === 'object' && member !== null) waiting.push(member);
      }
      pause -= 8;
    }
    if (pause <= 0) {
      pause = STRIDE;
      yield;
    }
  }
  return members;
}
