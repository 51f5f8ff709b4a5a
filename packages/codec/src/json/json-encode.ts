import { compareUtf8, type JsonValue, runAtOnce, type Steps } from '@ashlar/core';
import { CycleGuard, refuseCycles, SUSPICIOUS } from '../serializers/cycles.ts';
import { encodeUtf8 } from '../serializers/utf8.ts';
import { encodeUtf8Steps } from '../serializers/utf8-steps.ts';
import { escapeSpecials, escapeSpecialsSteps, writeNativelySteps } from './json-native-steps.ts';

/** How JSON is written. */
export interface JsonEncodeOptions {
  /** Two-space indent; empty arrays and objects stay `[]` and `{}`. */
  readonly pretty?: boolean;
  /** End with a newline, as responses do. */
  readonly newline?: boolean;
  /**
   * Sorts members by the bytes of their names instead of the object's own order: equal values have equal
   * bytes.
   */
  readonly sortKeys?: boolean;
}

/**
 * Encodes JSON as the reference server does (semantics/encodings#json): compact, `<`, `>`, `&`, U+2028 and
 * U+2029 escaped, `undefined` members omitted, `bigint` as digits.
 *
 * @throws TypeError for what JSON cannot represent: functions, symbols, NaN, the infinities and values that contain themselves.
 * @example encodeJson({ a: '<b>' }, { newline: true }) // the bytes of {"a":"\u003cb\u003e"}
 *
 */
export function encodeJson(value: unknown, options?: JsonEncodeOptions): Uint8Array<ArrayBuffer> {
  return encodeUtf8(encodeJsonText(value, options));
}

/** As {@link encodeJson}, with pauses where the value is large. */
export function* encodeJsonSteps(
  value: unknown,
  options: JsonEncodeOptions = {},
): Steps<Uint8Array<ArrayBuffer>> {
  const text = options.sortKeys ? undefined : yield* writeNativelySteps(value, indentOf(options));
  const written =
    text ?? (yield* escapeSpecialsSteps(yield* writeSteps(value as JsonValue, layoutOf(options))));
  return yield* encodeUtf8Steps(options.newline ? `${written}\n` : written);
}

/** As {@link encodeJson}, as text. */
export function encodeJsonText(value: unknown, options: JsonEncodeOptions = {}): string {
  const isPlain = options.sortKeys !== true && isNative(value);
  const text = isPlain ? stringify(value, indentOf(options)) : undefined;
  return finished(text ?? runAtOnce(writeSteps(value as JsonValue, layoutOf(options))), options);
}

const indentOf = ({ pretty }: JsonEncodeOptions): string => (pretty ? '  ' : '');

const layoutOf = (options: JsonEncodeOptions): Layout => ({
  indent: indentOf(options),
  sortKeys: options.sortKeys === true,
});

function finished(text: string, { newline }: JsonEncodeOptions): string {
  const escaped = escapeSpecials(text);
  return newline ? `${escaped}\n` : escaped;
}

/** Whether `JSON.stringify` writes a value as this encoder must: no bigint, no `-0`, nothing that it would turn into null. */
function isNative(value: unknown): boolean {
  const glance = new NativeGlance(value);
  while (glance.isOpen) glance.next();
  return glance.isNative;
}

/** Looks at the values of one array or object after the other. */
class NativeGlance {
  isNative = true;
  readonly #waiting: object[] = [];
  readonly #root: unknown;
  #count = 0;

  constructor(value: unknown) {
    this.#root = value;
    this.#visit(value);
  }

  get isOpen(): boolean {
    return this.isNative && this.#waiting.length > 0;
  }

  next(): void {
    if (++this.#count === SUSPICIOUS) refuseCycles(this.#root);
    const next = this.#waiting.pop();
    if (Array.isArray(next)) {
      for (const item of next) this.#visit(item);
    } else
      for (const key in next) {
        const member = (next as Record<string, unknown>)[key];
        if (member !== undefined) this.#visit(member);
      }
  }

  #visit(member: unknown): void {
    if (typeof member === 'string' || typeof member === 'boolean' || member === null) return;
    if (typeof member === 'object') this.#waiting.push(member);
    else if (typeof member !== 'number' || !Number.isFinite(member) || Object.is(member, -0))
      this.isNative = false;
  }
}

function stringify(value: unknown, indent: string): string | undefined {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // its recursion overflows before the maximum nesting of bodies
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Layout {
  readonly indent: string;
  readonly sortKeys: boolean;
}

/** An array or object in progress. */
interface Frame {
  readonly container: Readonly<Record<string, JsonValue | undefined>> | readonly JsonValue[];
  /** Names of an object's members; undefined for arrays. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/** Values between pauses. */
const STRIDE = 1024;

/** Writes any value, with pauses; it keeps its own stack, so depth costs none. */
function* writeSteps(root: JsonValue, layout: Layout): Steps<string> {
  const parts: string[] = [];
  const frames: Frame[] = [];
  const guard = new CycleGuard(root);
  const begin = (value: JsonValue): void => {
    const frame = typeof value === 'object' && value !== null ? frameOf(value, layout) : undefined;
    if (!frame) parts.push(scalarText(value));
    else if (frame.length === 0) parts.push(frame.keys ? '{}' : '[]');
    else {
      parts.push(frame.keys ? '{' : '[');
      guard.enter(frames.push(frame));
    }
  };
  begin(root);
  let count = 0;
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (++count % STRIDE === 0) yield;
    if (frame.next < frame.length) {
      parts.push(frame.next > 0 ? ',' : '', newLine(layout, frames.length));
      begin(nextMember(frame, parts, layout));
    } else {
      frames.pop();
      parts.push(newLine(layout, frames.length), frame.keys ? '}' : ']');
    }
  }
  return parts.join('');
}

function frameOf(value: object, { sortKeys }: Layout): Frame {
  if (Array.isArray(value)) return { container: value, keys: undefined, length: value.length, next: 0 };
  const container = value as Readonly<Record<string, JsonValue | undefined>>;
  const keys = Object.keys(container).filter((key) => container[key] !== undefined);
  if (sortKeys) keys.sort(compareUtf8);
  return { container, keys, length: keys.length, next: 0 };
}

function nextMember(frame: Frame, parts: string[], { indent }: Layout): JsonValue {
  const at = frame.next++;
  if (!frame.keys) return (frame.container as readonly JsonValue[])[at] as JsonValue;
  const key = frame.keys[at] as string;
  parts.push(JSON.stringify(key), indent === '' ? ':' : ': ');
  return (frame.container as Readonly<Record<string, JsonValue>>)[key] as JsonValue;
}

function newLine({ indent }: Layout, depth: number): string {
  return indent === '' ? '' : `\n${indent.repeat(depth)}`;
}

function scalarText(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return writeNumber(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw new TypeError(`JSON has no ${typeof value}`);
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  return Object.is(value, -0) ? '-0' : String(value);
}
