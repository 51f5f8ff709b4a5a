import {
  doneSteps,
  type JsonObject,
  type JsonValue,
  parseJsonSteps,
  runAtOnce,
  type Schema,
  type Steps,
} from '@ashlar/core';
import type { SpelledNumber } from '../formats/spelled-number.ts';
import { findLargeValues, type LargeValues } from '../structural/large-values.ts';
import { compileType } from './compile-type.ts';
import { withoutLoneSurrogatesSteps } from './escaped-surrogates.ts';
import { scanTextSteps } from './json-scan.ts';
import { type ReportStrictFieldError, type StrictFieldError, TypedContext } from './typed-context.ts';
import { TypedDecodeError } from './typed-decode-error.ts';
import { readExactly } from './typed-exact.ts';
import { knownParts, largeSteps } from './typed-large.ts';
import type { TypedNode } from './typed-node.ts';

/** Decodes the bodies of one built-in kind. */
export interface TypedCodec {
  /**
   * Validates and normalises a value of JSON, YAML or CBOR and returns the printed object: fields in the
   * schema's order, `null` as absent, empty fields omitted if the schema says so. Unknown fields are reported
   * and dropped. Numbers have lost their spelling here: `30.0` is 30. Results share parts with the input and
   * with each other.
   *
   * @throws TypedDecodeError if a value is of a wrong type or format
   */
  decode(value: JsonValue, report: ReportStrictFieldError): JsonObject;
  /** As `decode`, with pauses. */
  decodeSteps(value: JsonValue, report: ReportStrictFieldError): Steps<JsonObject>;
  /**
   * Like `decode`, from a JSON text, including what only the text shows: repeated keys are reported and
   * merged as by the typed decoder, and integer fields reject `30.0` and `1e2`.
   *
   * @throws SyntaxError if the text is not JSON
   * @throws TypedDecodeError if a value is of a wrong type or format
   */
  decodeText(text: string, report: ReportStrictFieldError): JsonObject;
  /**
   * As `decodeText`, with pauses between its passes and inside the longest.
   */
  decodeTextSteps(text: string, report: ReportStrictFieldError): Steps<JsonObject>;
}

/**
 * Compiles the schema of a built-in kind to its decoder, once; it behaves as typed decoding and printing of
 * the reference do (semantics/verbs#decoding, semantics/schemas#strictness, semantics/encodings#json,
 * semantics/metadata#fields). Schemas may be recursive.
 *
 * @throws TypeError if the schema has a part that no built-in type has, naming its path
 * @example
 * const codec = compileTyped({
 *   type: 'object',
 *   properties: { kind: { type: 'string' }, data: { type: 'object', additionalProperties: { type: 'string' } } },
 * });
 * codec.decode({ data: { a: 'b' }, x: 1 }, ({ kind, path }) => console.log(kind, path)); // unknown x
 */
export function compileTyped(schema: Schema): TypedCodec {
  const root = compileType(schema);
  return {
    decode: (value, report) => decodeWith(root, value, new TypedContext(report)),
    *decodeSteps(value, report) {
      const context = new TypedContext(report, false, 0, yield* findLargeValues(value, knownParts));
      return yield* decodeWithSteps(root, value, context);
    },
    decodeText: (text, report) => runAtOnce(decodeTextSteps(root, text, report)),
    decodeTextSteps: (text, report) => decodeTextSteps(root, text, report),
  };
}

function decodeWith(root: TypedNode, value: JsonValue | SpelledNumber, context: TypedContext): JsonObject {
  const object = root.decode(value, context);
  context.finish();
  return object as JsonObject;
}

function* decodeWithSteps(root: TypedNode, value: JsonValue, context: TypedContext): Steps<JsonObject> {
  const steps = largeSteps(root, value, context);
  if (!steps) return decodeWith(root, value, context);
  const object = yield* steps;
  context.finish();
  return object as JsonObject;
}

function decodeTextSteps(root: TypedNode, text: string, report: ReportStrictFieldError): Steps<JsonObject> {
  return text.length > SMALL_TEXT
    ? decodeLargeTextSteps(root, text, report)
    : doneSteps(decodeSmallText(root, runAtOnce(withoutLoneSurrogatesSteps(text)), report));
}

function decodeSmallText(root: TypedNode, text: string, report: ReportStrictFieldError): JsonObject {
  const value = JSON.parse(text) as JsonValue;
  const members = runAtOnce(scanTextSteps(text));
  if (members === undefined) return runAtOnce(decodeExactly(root, text, report));
  const attempt = new Attempt(members);
  try {
    const object = decodeWith(root, value, attempt.context);
    if (attempt.isComplete(report)) return object;
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
  }
  return runAtOnce(decodeExactly(root, text, report));
}

function* decodeLargeTextSteps(
  root: TypedNode,
  received: string,
  report: ReportStrictFieldError,
): Steps<JsonObject> {
  const text = yield* withoutLoneSurrogatesSteps(received);
  const value = yield* parseJsonSteps(text);
  yield;
  const members = yield* scanTextSteps(text);
  yield;
  if (members === undefined) return yield* decodeExactly(root, text, report);
  const attempt = new Attempt(members, yield* findLargeValues(value));
  try {
    const object = yield* decodeWithSteps(root, value, attempt.context);
    if (attempt.isComplete(report)) return object;
  } catch (error) {
    if (!(error instanceof TypedDecodeError)) throw error;
  }
  return yield* decodeExactly(root, text, report);
}

/** Shorter texts are decoded at once: nothing in them is large. */
const SMALL_TEXT = 32_768;

/** The decoding of what `JSON.parse` makes of a text. */
class Attempt {
  readonly context: TypedContext;
  /** How many members the text has. */
  readonly #members: number;
  readonly #found: StrictFieldError[] = [];

  constructor(members: number, large?: LargeValues) {
    this.#members = members;
    this.context = new TypedContext((error) => this.#found.push(error), true, 0, large);
  }

  /** Whether the text need not be read exactly, because no key is repeated; then reports what was found. */
  isComplete(report: ReportStrictFieldError): boolean {
    if (this.context.members !== this.#members) return false;
    this.#found.forEach(report);
    return true;
  }
}

function* decodeExactly(root: TypedNode, text: string, report: ReportStrictFieldError): Steps<JsonObject> {
  const replaced = new TypedContext(report);
  const exact = yield* readExactly(root, text, replaced);
  yield;
  const retained = new TypedContext(() => {}, false, 0, yield* findLargeValues(exact as JsonValue));
  const object = yield* largeSteps(root, exact, retained) ?? doneSteps(root.decode(exact, retained));
  replaced.finish();
  retained.finish();
  return object as JsonObject;
}
