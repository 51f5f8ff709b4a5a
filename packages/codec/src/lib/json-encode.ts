import type { JsonValue } from '@ashlar/core';
import { encodeUtf8 } from './utf8.ts';

/** How JSON is written. */
export interface JsonEncodeOptions {
  /** Two-space indent; empty arrays and objects stay `[]` and `{}`. */
  readonly pretty?: boolean;
  /** End with a newline, as whole answers do. */
  readonly newline?: boolean;
  /** Members in the order of their names' bytes instead of the object's own order: equal values give equal bytes. */
  readonly sortKeys?: boolean;
}

/**
 * Writes JSON as the upstream encoder does (semantics I4): compact, `<`, `>`, `&`, U+2028 and U+2029 escaped, members of
 * value `undefined` left out, `bigint` as digits.
 *
 * @throws TypeError for what JSON cannot hold: functions, symbols, NaN and the infinities.
 * @example encodeJson({ a: '<b>' }, { newline: true }) // the bytes of {"a":"\u003cb\u003e"}⏎
 */
export function encodeJson(value: unknown, options?: JsonEncodeOptions): Uint8Array<ArrayBuffer> {
  return encodeUtf8(encodeJsonText(value, options));
}

/** As {@link encodeJson}, as text. */
export function encodeJsonText(value: unknown, options: JsonEncodeOptions = {}): string {
  const indent = options.pretty ? '  ' : '';
  const text =
    options.sortKeys || !isNative(value)
      ? write(value as JsonValue, { indent, sortKeys: options.sortKeys === true }, '\n')
      : (JSON.stringify(value, undefined, indent) as string);
  const escaped = SPECIAL.test(text) ? text.replace(EVERY_SPECIAL, escapeCharacter) : text;
  return options.newline ? `${escaped}\n` : escaped;
}

const SPECIAL = /[<>&\u2028\u2029]/;
const EVERY_SPECIAL = /[<>&\u2028\u2029]/g;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Whether `JSON.stringify` writes a value as this encoder must: no bigint, no `-0`, nothing that it would turn into null. */
function isNative(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (value === null) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (!isNative(item)) return false;
    return true;
  }
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined && !isNative(member)) return false;
  }
  return true;
}

interface Layout {
  readonly indent: string;
  readonly sortKeys: boolean;
}

function write(value: JsonValue, layout: Layout, line: string): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value === null) return 'null';
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}`);
  const inner = line + layout.indent;
  if (Array.isArray(value))
    return enclose(
      '[',
      value.map((item: JsonValue) => write(item, layout, inner)),
      ']',
      layout,
      line,
    );
  const object = value as Readonly<Record<string, JsonValue | undefined>>;
  const colon = layout.indent === '' ? ':' : ': ';
  const members: string[] = [];
  for (const key of layout.sortKeys ? Object.keys(object).sort(compareUtf8) : Object.keys(object)) {
    const member = object[key];
    if (member !== undefined) members.push(JSON.stringify(key) + colon + write(member, layout, inner));
  }
  return enclose('{', members, '}', layout, line);
}

function enclose(
  open: string,
  parts: readonly string[],
  close: string,
  layout: Layout,
  line: string,
): string {
  if (parts.length === 0 || layout.indent === '') return open + parts.join(',') + close;
  const inner = line + layout.indent;
  return open + inner + parts.join(`,${inner}`) + line + close;
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Order of texts by the bytes of their UTF-8 form, which is the order of their code points. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointOrder(x) - codePointOrder(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others. */
function codePointOrder(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
