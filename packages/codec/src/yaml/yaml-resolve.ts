import { isDay, runAtOnce, type Steps } from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';
import { decodeUtf8 } from '../serializers/utf8.ts';

/** A resolved scalar (YAML 1.1, https://yaml.org/type/): integers are bigint here, floats number. */
export type YamlScalar =
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'str' | 'timestamp'; readonly value: string };

const PREFIX = 'tag:yaml.org,2002:';
const WORDS: ReadonlyMap<string, YamlScalar> = new Map<string, YamlScalar>([
  ...words(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'], {
    type: 'bool',
    value: true,
  }),
  ...words(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'], {
    type: 'bool',
    value: false,
  }),
  ...words(['', '~', 'null', 'Null', 'NULL'], { type: 'null', value: null }),
  ...words(['.nan', '.NaN', '.NAN'], { type: 'float', value: Number.NaN }),
  ...words(['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'], { type: 'float', value: Infinity }),
  ...words(['-.inf', '-.Inf', '-.INF'], { type: 'float', value: -Infinity }),
]);

function words(texts: readonly string[], scalar: YamlScalar): [string, YamlScalar][] {
  return texts.map((text) => [text, scalar]);
}

/**
 * The value of a plain scalar, or of one with a standard tag; other tags make it a string.
 * @param tag complete, `''` for none
 * @throws DecodeError if the text does not match its tag
 */
export function resolveScalar(tag: string, text: string): YamlScalar {
  return isText(tag) ? { type: 'str', value: text } : matched(tag, text, resolvePlain(text, tag));
}

/** As {@link resolveScalar}, with pauses, for long texts. */
export function* resolveScalarSteps(tag: string, text: string): Steps<YamlScalar> {
  if (isText(tag)) return { type: 'str', value: text };
  const scalar = text.length < LONG ? resolveShort(text, tag) : yield* resolveLongSteps(text, tag);
  return matched(tag, text, scalar);
}

const isText = (tag: string): boolean => tag !== '' && (!STANDARD.has(tag) || tag === `${PREFIX}str`);

function matched(tag: string, text: string, scalar: YamlScalar): YamlScalar {
  const name = tag.slice(PREFIX.length);
  if (tag === '' || scalar.type === name) return scalar;
  if (name === 'float' && scalar.type === 'int' && scalar.value <= MAXIMUM_INT64)
    return { type: 'float', value: Number(scalar.value) };
  throw new DecodeError(`yaml: cannot decode !!${scalar.type} \`${text}\` as a !!${name}`);
}

const STANDARD: ReadonlySet<string> = new Set(
  ['str', 'bool', 'int', 'float', 'null', 'timestamp'].map((name) => PREFIX + name),
);
const MAXIMUM_INT64 = 2n ** 63n - 1n;
const MINIMUM_INT64 = -(2n ** 63n);
const MAXIMUM_UINT64 = 2n ** 64n - 1n;

/** The value of an unquoted text. */
export function resolvePlain(text: string, tag = ''): YamlScalar {
  return text.length < LONG ? resolveShort(text, tag) : runAtOnce(resolveLongSteps(text, tag));
}

/** Characters from which on a text is read with pauses. */
const LONG = 4_096;
const LONGEST_WORD = 5;
const POINT = 0x2e;
const UNDERSCORE = 0x5f;

function resolveShort(text: string, tag: string): YamlScalar {
  const word = text.length <= LONGEST_WORD ? WORDS.get(text) : undefined;
  if (word) return word;
  if (!mayBeNumber(text)) return { type: 'str', value: text };
  if (text.charCodeAt(0) === POINT) return float(text) ?? { type: 'str', value: text };
  if (isTime(text, tag)) return { type: 'timestamp', value: text };
  const digits = text.replaceAll('_', '');
  return integer(withoutZeros(digits)) ?? float(digits) ?? { type: 'str', value: text };
}

function mayBeNumber(text: string): boolean {
  const first = text.charCodeAt(0);
  return (first >= 0x30 && first <= 0x39) || first === POINT || first === 0x2b || first === 0x2d;
}

const isTime = (text: string, tag: string): boolean =>
  (tag === '' || tag === `${PREFIX}timestamp`) && isTimestamp(text);

function* resolveLongSteps(text: string, tag: string): Steps<YamlScalar> {
  if (!mayBeNumber(text)) return { type: 'str', value: text };
  if (text.charCodeAt(0) === POINT) return float(text) ?? { type: 'str', value: text };
  if (isTime(text, tag)) return { type: 'timestamp', value: text };
  yield;
  const digits = yield* withoutUnderscores(text);
  if (digits === undefined) return { type: 'str', value: text };
  return integer(withoutZeros(digits)) ?? float(digits) ?? { type: 'str', value: text };
}

/** Characters between pauses. */
const STRETCH = 65_536;
/** Characters that no number has: those behind `z`. */
const FOREIGN = /[^\0-z]/;

/** A long text that may be a number, without its underscores; undefined if it has other characters than numbers have. */
function* withoutUnderscores(text: string): Steps<string | undefined> {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += STRETCH) {
    const part = text.slice(at, at + STRETCH);
    if (FOREIGN.test(part)) return undefined;
    parts.push(part.includes('_') ? shortened(part) : part);
    yield;
  }
  return parts.join('');
}

/** A text of ASCII without its underscores. Copied by character: it may be nothing but digits with one between each two. */
function shortened(text: string): string {
  const kept = new Uint8Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== UNDERSCORE) kept[count++] = code;
  }
  return decodeUtf8(kept.subarray(0, count));
}

/** An integer with one leading zero in place of many; no text if others have too many digits. */
function withoutZeros(text: string): string {
  if (text.length <= MAXIMUM_DIGITS) return text;
  LEADING_ZEROS.lastIndex = 0;
  LEADING_ZEROS.test(text);
  const start = LEADING_ZEROS.lastIndex;
  const [prefix = ''] = PREFIXED.exec(text.slice(0, 3)) ?? [];
  const isZero = start > prefix.length;
  return text.length - start > MAXIMUM_DIGITS
    ? NO_INTEGER
    : `${prefix}${isZero ? '0' : ''}${text.slice(start)}`;
}

const LEADING_ZEROS = /[-+]?(?:0[xXoObB])?0*/y;
const PREFIXED = /^[-+]?(?:0[xXoObB])?/;
/** Digits of the longest integer, which is written in base two. */
const MAXIMUM_DIGITS = 64;
const NO_INTEGER = '';

const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INTEGER = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)$/;

/** Decimal, `0x`, `0o` and `0b`; a leading zero alone means octal too. Integers of 64 bits, signed or not. */
function integer(text: string): YamlScalar | undefined {
  const [, sign = '', digits = ''] = INTEGER.exec(text) ?? [];
  if (digits === '') return undefined;
  const magnitude = BigInt(/^0[0-7]/.test(digits) ? `0o${digits}` : digits);
  const value = sign === '-' ? -magnitude : magnitude;
  const isWithin = value >= MINIMUM_INT64 && value <= (sign === '' ? MAXIMUM_UINT64 : MAXIMUM_INT64);
  return isWithin ? { type: 'int', value } : undefined;
}

function float(text: string): YamlScalar | undefined {
  const value = FLOAT.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

const DATE =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:([Tt])| )(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Dates and times; they stay strings, and strings in this form are quoted. */
function isTimestamp(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const [, year, month, day, letter, hour = '0', minute = '0', second = '0', zone] = match;
  if ((letter !== undefined) !== (zone !== undefined)) return false;
  const isDate = isDay(Number(year), Number(month), Number(day));
  return isDate && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}
