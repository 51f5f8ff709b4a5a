import {
  type JsonObject,
  type JsonValue,
  jsonTypeName,
  ObjectTooLargeError,
  runAtOnce,
  type Steps,
} from '@ashlar/core';
import { SpelledNumber } from '../formats/spelled-number.ts';
import type { LargeValues } from '../structural/large-values.ts';
import { type GoKind, restoreError } from './restore-error.ts';
import { type Mismatch, TypedDecodeError } from './typed-decode-error.ts';

/**
 * An error of strict decoding other than a wrong type (semantics/schemas#strictness). Paths are `spec.foo`,
 * `spec.list[0].bar`, `spec.map.key`.
 */
export interface StrictFieldError {
  readonly kind: 'unknown' | 'duplicate';
  readonly path: string;
}

/** Called with each strict decoding error, in the order of decoding, at most a thousand times. */
export type ReportStrictFieldError = (error: StrictFieldError) => void;

/** Maximum nesting of types; only recursive kinds come near it. */
const MAXIMUM_DEPTH = 500;
/** Maximum number of quantities in one object: kinds parse, compare and sum them in one piece. */
const MAXIMUM_QUANTITIES = 10_000;
/** Maximum number of reports: each costs a path. */
const MAXIMUM_REPORTS = 1000;
/** Where a value is that no field holds. */
const NO_TARGET = 'into Go value';
/** Lists and objects that are skipped between pauses. */
const CONTAINERS_PER_STEP = 1024;

/** State of one call of `decode`. */
export class TypedContext {
  readonly report: ReportStrictFieldError;
  /** Fields, indexes and map keys from the root to here; the first `depth` entries of each array are valid. */
  readonly #steps: (string | number)[] = [];
  /** The Go type that holds the field; undefined for a key of a map or an index. */
  readonly #owners: (string | undefined)[] = [];
  #depth = 0;
  #reports = 0;
  #firstError: TypedDecodeError | undefined;
  /** Number of members of JSON objects so far: fewer than in the text means that keys were repeated. */
  members = 0;

  #quantities = 0;

  /** Whether to count members of values without a schema too. */
  readonly counts: boolean;

  #large: LargeValues | undefined;

  /** Number of levels above the root. */
  readonly #above: number;

  constructor(report: ReportStrictFieldError, counts = false, above = 0, large?: LargeValues) {
    this.#large = large;
    this.report = report;
    this.counts = counts;
    this.#above = above;
  }

  /**
   * Creates a context for a type with its own decoder: paths begin there, unknown and repeated fields are not
   * reported.
   */
  within(): TypedContext {
    return new TypedContext(() => {}, false, this.#above + this.#depth + 1, this.#large);
  }

  /** Counts the members of a value that is not decoded otherwise. */
  skip(value: JsonValue): void {
    if (this.counts && typeof value === 'object') runAtOnce(this.skipSteps(value));
  }

  /** As {@link skip}, with pauses. */
  *skipSteps(value: JsonValue): Steps<void> {
    if (!this.counts || typeof value !== 'object' || value === null) return;
    const waiting: (JsonValue & object)[] = [value];
    for (let at = waiting.pop(), count = 1; at !== undefined; at = waiting.pop(), count++) {
      const isArray = Array.isArray(at);
      for (const part of Object.values(at as JsonObject)) {
        if (!isArray) this.members++;
        if (typeof part === 'object' && part !== null) waiting.push(part);
      }
      if (count % CONTAINERS_PER_STEP === 0) yield;
    }
  }

  /** Large parts of the decoded value, which are decoded with pauses. */
  get large(): LargeValues | undefined {
    return this.#large;
  }

  addLarge(found: LargeValues): void {
    this.#large = this.#large ? new Set([...this.#large, ...found]) : found;
  }

  /** Number of levels above the value that is decoded. */
  get depth(): number {
    return this.#above + this.#depth;
  }

  get quantities(): number {
    return this.#quantities;
  }

  /** @throws ObjectTooLargeError beyond the maximum number of quantities (semantics/encodings#json) */
  countQuantities(count: number): void {
    this.#quantities += count;
    if (this.#quantities > MAXIMUM_QUANTITIES)
      throw new ObjectTooLargeError(undefined, `more than ${MAXIMUM_QUANTITIES} quantities in one object`);
  }

  enter(step: string | number, owner?: string): void {
    if (this.depth >= MAXIMUM_DEPTH) throw new TypedDecodeError('exceeded max depth');
    this.#steps[this.#depth] = step;
    this.#owners[this.#depth] = owner;
    this.#depth++;
  }

  leave(): void {
    this.#depth--;
  }

  reportField(kind: StrictFieldError['kind'], name: string): void {
    if (++this.#reports > MAXIMUM_REPORTS) return;
    this.enter(name);
    const steps = this.#steps.slice(0, this.#depth);
    this.leave();
    this.report({ kind, path: pathText(steps) });
  }

  /** A value of a wrong JSON type. @param ofMap the error of the same value in a map, if that is not of the text of its own */
  typeError(value: JsonValue | SpelledNumber, goType: string, ofMap?: string): TypedDecodeError {
    return this.mismatchError({ value: jsonType(value), goType }, ofMap);
  }

  /** A number out of the range of its type: the message quotes it. @param ofMap as for a wrong type */
  numberError(value: number | bigint | SpelledNumber, goType: string, ofMap?: string): TypedDecodeError {
    return this.mismatchError({ value: `number ${numberText(value)}`, goType }, ofMap);
  }

  /** The error of a value, or of one within it, at this place. */
  mismatchError(mismatch: Mismatch, ofMap?: string): TypedDecodeError {
    const { value, goType } = mismatch;
    const text = (target: string): string => `json: cannot unmarshal ${value} ${target} of type ${goType}`;
    return new TypedDecodeError(text(this.#target()), mismatch, ofMap ?? text(NO_TARGET));
  }

  /** Records that a value has a wrong JSON type, unless an error is recorded: a message of each of very many would cost more than all else. */
  saveTypeError(
    value: JsonValue | SpelledNumber,
    kind: GoKind,
    goType: string | (() => string) = kind,
  ): void {
    if (this.#firstError) return;
    const type = typeof goType === 'string' ? goType : goType();
    const ofMap = value instanceof SpelledNumber ? undefined : restoreError(value, kind, type);
    this.#firstError = this.typeError(value, type, ofMap);
  }

  /** Records the first error and continues: errors that later parts throw take precedence, as in Go. */
  save(error: TypedDecodeError): void {
    this.#firstError ??= error;
  }

  /** Whether an error is recorded: of values whose errors are only recorded, later ones need not be read. */
  get hasError(): boolean {
    return this.#firstError !== undefined;
  }

  /** Throws the recorded error. */
  finish(): void {
    if (this.#firstError) throw this.#firstError;
  }

  #target(): string {
    const fields: string[] = [];
    let owner = '';
    for (let i = 0; i < this.#depth; i++) {
      const holder = this.#owners[i];
      if (holder === undefined) continue;
      owner = holder;
      fields.push(this.#steps[i] as string);
    }
    return fields.length === 0 ? NO_TARGET : `into Go struct field ${owner}.${fields.join('.')}`;
  }
}

function pathText(steps: readonly (string | number)[]): string {
  let text = '';
  for (const step of steps) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

const jsonType = (value: JsonValue | SpelledNumber): string =>
  value instanceof SpelledNumber ? 'number' : jsonTypeName(value);

function numberText(value: number | bigint | SpelledNumber): string {
  if (value instanceof SpelledNumber) return value.text;
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e21)
    return `${BigInt(value)}`;
  return String(value);
}
