import { isDay } from '@ashlar/core';
import { DecodeError } from '../serializers/decode-error.ts';

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
  const name = tag.startsWith(PREFIX) ? tag.slice(PREFIX.length) : tag;
  if (tag !== '' && !STANDARD.has(tag)) return { type: 'str', value: text };
  if (name === 'str') return { type: 'str', value: text };
  const scalar = resolvePlain(text, tag);
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
  const word = WORDS.get(text);
  if (word) return word;
  const first = text.charCodeAt(0);
  if (first === 0x2e) return (FLOAT.test(text) && float(text)) || { type: 'str', value: text };
  if (!((first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d))
    return { type: 'str', value: text };
  if ((tag === '' || tag === `${PREFIX}timestamp`) && isTimestamp(text))
    return { type: 'timestamp', value: text };
  const digits = withoutUnderscores(text);
  return (digits !== undefined && number(digits)) || { type: 'str', value: text };
}

/** Characters from which on a text is not left to the engine, which replaces one character after the other. */
const LONG = 4_096;

/** A text that may be a number, without its underscores; undefined if it is long and has other characters than numbers have. */
function withoutUnderscores(text: string): string | undefined {
  if (text.length < LONG) return text.replaceAll('_', '');
  const digits = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7a) return undefined;
    if (code !== 0x5f) digits[length++] = code;
  }
  return new TextDecoder().decode(digits.subarray(0, length));
}

const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INTEGER = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)$/;

/** Decimal, `0x`, `0o` and `0b`; a leading zero alone means octal too. Integers of 64 bits, signed or not. */
function number(text: string): YamlScalar | undefined {
  const [, sign = '', digits = ''] = INTEGER.exec(text) ?? [];
  if (digits !== '' && mayFit(digits)) {
    const magnitude = BigInt(/^0[0-7]/.test(digits) ? `0o${digits}` : digits);
    const value = sign === '-' ? -magnitude : magnitude;
    if (value >= MINIMUM_INT64 && value <= (sign === '' ? MAXIMUM_UINT64 : MAXIMUM_INT64))
      return { type: 'int', value };
  }
  return FLOAT.test(text) ? float(text) : undefined;
}

/** Whether digits, apart from leading zeros, are few enough for 64 bits: at most 64 in base two. */
function mayFit(digits: string): boolean {
  if (digits.length <= MAXIMUM_DIGITS) return true;
  let start = PREFIXED.test(digits) ? 2 : 0;
  while (digits.charAt(start) === '0') start++;
  return digits.length - start <= MAXIMUM_DIGITS;
}

const MAXIMUM_DIGITS = 64;
const PREFIXED = /^0[xXoObB]/;

function float(text: string): YamlScalar | undefined {
  const value = Number(text);
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
