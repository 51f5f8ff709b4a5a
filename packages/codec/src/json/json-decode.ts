import {
  doneSteps,
  type JsonObject,
  type JsonValue,
  jsonSyntaxErrorSteps,
  MAXIMUM_JSON_DEPTH,
  parseJsonSteps,
  runAtOnce,
  type Steps,
} from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';
import { type DocumentLimits, MAXIMUM_REPORTED } from '../serializers/document-limits.ts';
import { decodeUtf8, decodeUtf8Strictly } from '../serializers/utf8.ts';
import { type IntegerDecimal, JsonParser, type JsonParserEvents } from './json-parser.ts';
import { type JsonSurvey, surveyJson } from './json-survey.ts';

/** What to report in addition to the value. Only what is requested is searched for. */
export interface JsonDecodeOptions extends DocumentLimits {
  /** `report`: repeated members are listed. In any case the last one wins. */
  readonly duplicates?: 'report';
  /** `report`: numbers such as `1.0` and `1e2`, which typed integer fields reject, are listed, at most 100. */
  readonly integerDecimals?: 'report';
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
  readonly integerDecimals: readonly IntegerDecimal[];
}

/** Maximum total length of reported paths: with deep nesting each may be as long as the text. */
const MAXIMUM_PATH_CHARACTERS = 1_000_000;
/** Values between pauses. */
const STRIDE = 1024;
/** Shorter texts are read at once. */
const SMALL_BYTES = 65_536;
const NONE: readonly never[] = [];

/**
 * Decodes JSON (RFC 8259) as the reference server does (semantics/encodings#json): invalid UTF-8 becomes
 * U+FFFD, integers of 64 bits are exact (`bigint` beyond 2^53), longer ones and decimals are doubles. Values
 * are plain; where `1` and `1.0` must be distinguished, request `integerDecimals` (ADR 0001).
 *
 * @throws DecodeError with the error in words: `invalid character '}' after object key`; of the kind
 * `too-large` beyond the limits of {@link DocumentLimits}
 * @example
 * decodeJson(new TextEncoder().encode('{"a":1,"a":2}'), { duplicates: 'report' });
 * // { value: { a: 2 }, duplicates: ['a'], integerDecimals: [] }
 */
export function decodeJson(bytes: Uint8Array, options: JsonDecodeOptions = {}): DecodedJson {
  return runAtOnce(decodeWholeSteps(bytes, options));
}

/** As {@link decodeJson}, with pauses. */
export function decodeJsonSteps(bytes: Uint8Array, options: JsonDecodeOptions = {}): Steps<DecodedJson> {
  return bytes.length > SMALL_BYTES ? decodeLargeSteps(bytes, options) : decodeWholeSteps(bytes, options);
}

/** Without a pause where the engine can read the text, which is faster in one piece. */
function decodeWholeSteps(bytes: Uint8Array, options: JsonDecodeOptions): Steps<DecodedJson> {
  const survey = runAtOnce(surveyJson(bytes, options));
  const value = isNative(survey, options) ? runAtOnce(parseNatively(bytes, wholeSteps)) : undefined;
  return value !== undefined && isFreeOfDuplicates(survey, options, new MemberCount(value))
    ? doneSteps(decodedNatively(value, survey))
    : parseCarefully(bytes, options, survey);
}

const wholeSteps = (text: string): Steps<JsonValue> => doneSteps(JSON.parse(text) as JsonValue);

function* decodeLargeSteps(bytes: Uint8Array, options: JsonDecodeOptions): Steps<DecodedJson> {
  const survey = yield* surveyJson(bytes, options);
  const value = isNative(survey, options) ? yield* parseNatively(bytes, parseJsonSteps) : undefined;
  if (value === undefined) return yield* parseCarefully(bytes, options, survey);
  const count = new MemberCount(value);
  while (wantsMembers(options) && count.run(STRIDE)) yield;
  return isFreeOfDuplicates(survey, options, count)
    ? decodedNatively(value, survey)
    : yield* parseCarefully(bytes, options, survey);
}

/** Whether `JSON.parse` reads the text as it must be read, if it repeats no member. */
function isNative({ native, decimals, depth }: JsonSurvey, { integerDecimals }: JsonDecodeOptions): boolean {
  return native && !(decimals && integerDecimals === 'report') && depth <= MAXIMUM_JSON_DEPTH;
}

const wantsMembers = ({ duplicates, resolveDuplicate }: JsonDecodeOptions): boolean =>
  duplicates === 'report' || resolveDuplicate !== undefined;

/** Whether a value has as many members as its text: no name was repeated, or nobody asks. */
function isFreeOfDuplicates(survey: JsonSurvey, options: JsonDecodeOptions, count: MemberCount): boolean {
  return !wantsMembers(options) || (!count.run(Number.POSITIVE_INFINITY) && count.members === survey.members);
}

const decodedNatively = (value: JsonValue, { values }: JsonSurvey): DecodedJson => ({
  value,
  values,
  duplicates: NONE,
  integerDecimals: NONE,
});

/**
 * Checks that a JSON text is within the limits, for callers that parse it themselves; its syntax is not
 * checked.
 * @throws DecodeError of the kind `too-large` for too many values; of the kind `malformed` for too much
 * nesting
 */
export function* requireJsonLimits(bytes: Uint8Array, limits: DocumentLimits = {}): Steps<void> {
  const survey = yield* surveyJson(bytes, limits);
  if (survey.depth <= MAXIMUM_JSON_DEPTH) return;
  const syntaxError = yield* jsonSyntaxErrorSteps(bytes);
  if (syntaxError !== undefined) throw new DecodeError(syntaxError);
}

/** Undefined if the text is left to the careful parser, or to its error. */
function* parseNatively(
  bytes: Uint8Array,
  parse: (text: string) => Steps<JsonValue>,
): Steps<JsonValue | undefined> {
  const text = decodeUtf8Strictly(bytes);
  if (text === undefined) return undefined;
  try {
    return yield* parse(text);
  } catch {
    return undefined;
  }
}

function* parseCarefully(
  bytes: Uint8Array,
  options: JsonDecodeOptions,
  { values }: JsonSurvey,
): Steps<DecodedJson> {
  const syntaxError = yield* jsonSyntaxErrorSteps(bytes);
  if (syntaxError !== undefined) throw new DecodeError(syntaxError);
  const duplicates = new Set<string>();
  const integerDecimals: IntegerDecimal[] = [];
  const value = yield* new JsonParser(
    decodeUtf8(bytes),
    eventsOf(options, duplicates, integerDecimals),
  ).parse();
  return { value, values, duplicates: [...duplicates], integerDecimals };
}

function eventsOf(
  options: JsonDecodeOptions,
  duplicates: Set<string>,
  integerDecimals: IntegerDecimal[],
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
    ...(options.integerDecimals === 'report' && {
      integerDecimal: (text: string, path: () => string) => {
        if (!isFull(integerDecimals.length)) integerDecimals.push({ path: counted(path()), text });
      },
    }),
  };
}

/** Counts the members of all objects of a value, deep as it may be: arrays and objects still to visit wait in a list. */
class MemberCount {
  members = 0;
  readonly #waiting: object[] = [];

  constructor(value: JsonValue) {
    this.#wait(value);
  }

  /** Goes on for about so many values; returns whether there are more. */
  run(values: number): boolean {
    for (let left = values; left > 0; ) {
      const next = this.#waiting.pop();
      if (next === undefined) return false;
      left -= Array.isArray(next) ? this.#items(next) : this.#membersOf(next as JsonObject);
    }
    return this.#waiting.length > 0;
  }

  #items(items: readonly JsonValue[]): number {
    for (const item of items) this.#wait(item);
    return items.length + 1;
  }

  #membersOf(object: JsonObject): number {
    const before = this.members;
    for (const key in object) {
      this.members++;
      this.#wait(object[key] as JsonValue);
    }
    return this.members - before + 1;
  }

  #wait(value: JsonValue): void {
    if (typeof value === 'object' && value !== null) this.#waiting.push(value);
  }
}
