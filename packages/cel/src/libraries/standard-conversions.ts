import { goFloat } from '@ashlar/core';
import { type FunctionDeclaration, overload } from '../check/declarations.ts';
import { types } from '../check/types.ts';
import { work } from '../cost/work.ts';
import { doubleOf, isInt, toInt } from '../values/numbers.ts';
import {
  durationNanos,
  durationText,
  parseAnyTimestamp,
  parseDuration,
  timestampOf,
  timestampText,
} from '../values/time.ts';
import {
  type Double,
  type Duration,
  EvaluationError,
  type Timestamp,
  TypeValue,
  toDouble,
  typeOfValue,
  Uint,
  type Value,
} from '../values/values.ts';

const { bool, int, uint, double, string, bytes, timestamp, duration, dyn } = types;
const A = types.parameter('A');

const INT_MIN = -(2n ** 63n);
const INT_MAX = 2n ** 63n - 1n;
const UINT_MAX = 2n ** 64n - 1n;

const same = (value: Value): Value => value;

/** The error of a value that cannot be converted. */
function conversionError(from: string, to: string): EvaluationError {
  return new EvaluationError(`type conversion error from '${from}' to '${to}'`);
}

const intOverflow = (): EvaluationError => new EvaluationError('integer overflow');
const uintOverflow = (): EvaluationError => new EvaluationError('unsigned integer overflow');

function intFromDouble(value: number | Double): Value {
  const number = doubleOf(value) as number;
  // 2^63 itself is a double but not an int.
  if (!(number > -(2 ** 63) && number < 2 ** 63)) return intOverflow();
  return toInt(BigInt(Math.trunc(number)));
}

function intFromText(text: string): Value {
  if (!/^[+-]?\d{1,40}$/.test(text)) return conversionError('string', 'int');
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value < INT_MIN || value > INT_MAX ? conversionError('string', 'int') : toInt(value);
}

function uintFromInt(value: number | bigint): Value {
  return value < 0 ? uintOverflow() : new Uint(BigInt(value));
}

function uintFromDouble(value: number | Double): Value {
  const number = doubleOf(value) as number;
  return number > -1 && number < 2 ** 64 && !(number < 0)
    ? new Uint(BigInt(Math.trunc(number)))
    : uintOverflow();
}

function uintFromText(text: string): Value {
  if (!/^\d{1,40}$/.test(text)) return conversionError('string', 'uint');
  const value = BigInt(text);
  return value > UINT_MAX ? conversionError('string', 'uint') : new Uint(value);
}

/**
 * A number that JavaScript parses as the language does, except for what it accepts in addition: white space,
 * nothing, `0x1`, names.
 */
const DOUBLE_CHARACTERS = /^[+-]?[\d.][\d.eE+-]*$/;
const INFINITY = /^([+-]?)inf(?:inity)?$/i;

function doubleFromText(text: string): Value {
  if (/^nan$/i.test(text)) return Number.NaN;
  const infinity = INFINITY.exec(text);
  if (infinity) return infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  work(text.length * 6);
  const value = DOUBLE_CHARACTERS.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? toDouble(value) : conversionError('string', 'double');
}

const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

function boolFromText(text: string): Value {
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : conversionError('string', 'bool');
}

function textFromBytes(value: Uint8Array): Value {
  work(value.length * 2);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return new EvaluationError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

function bytesFromText(text: string): Value {
  work(text.length * 2);
  return new TextEncoder().encode(text);
}

function timestampFromText(text: string): Value {
  const found = parseAnyTimestamp(text);
  if (!found) return conversionError('string', 'google.protobuf.Timestamp');
  return timestampOf(found.seconds, found.nanos, found.offset) ?? new EvaluationError('timestamp overflow');
}

function timestampFromInt(value: number | bigint): Value {
  return (isInt(value) && timestampOf(Number(value), 0)) || new EvaluationError('timestamp overflow');
}

/** Type conversions, each named like its result type. */
export const conversionFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'type',
    overloads: [overload('type', [A], types.typeOf(A))],
    evaluate: (value: Value) => new TypeValue(typeOfValue(value)),
  },
  { name: 'dyn', overloads: [overload('to_dyn', [A], dyn)], evaluate: same },
  {
    name: 'bool',
    overloads: [
      overload('bool_to_bool', [bool], bool, same),
      overload('string_to_bool', [string], bool, boolFromText),
    ],
  },
  {
    name: 'bytes',
    overloads: [
      overload('bytes_to_bytes', [bytes], bytes, same),
      overload('string_to_bytes', [string], bytes, bytesFromText),
    ],
  },
  {
    name: 'double',
    overloads: [
      overload('double_to_double', [double], double, same),
      overload('int64_to_double', [int], double, (value: number | bigint) => toDouble(Number(value))),
      overload('string_to_double', [string], double, doubleFromText),
      overload('uint64_to_double', [uint], double, (value: Uint) => toDouble(Number(value.value))),
    ],
  },
  {
    name: 'int',
    overloads: [
      overload('int64_to_int64', [int], int, same),
      overload('double_to_int64', [double], int, intFromDouble),
      overload('duration_to_int64', [duration], int, (value: Duration) => toInt(durationNanos(value))),
      overload('string_to_int64', [string], int, intFromText),
      overload('timestamp_to_int64', [timestamp], int, (value: Timestamp) => value.seconds),
      overload('uint64_to_int64', [uint], int, (value: Uint) =>
        value.value > INT_MAX ? intOverflow() : toInt(value.value),
      ),
    ],
  },
  {
    name: 'uint',
    overloads: [
      overload('uint64_to_uint64', [uint], uint, same),
      overload('double_to_uint64', [double], uint, uintFromDouble),
      overload('int64_to_uint64', [int], uint, uintFromInt),
      overload('string_to_uint64', [string], uint, uintFromText),
    ],
  },
  {
    name: 'string',
    overloads: [
      overload('string_to_string', [string], string, same),
      overload('bool_to_string', [bool], string, String),
      overload('bytes_to_string', [bytes], string, textFromBytes),
      overload('double_to_string', [double], string, (value: Value) => goFloat(doubleOf(value) as number)),
      overload('duration_to_string', [duration], string, durationText),
      overload('int64_to_string', [int], string, String),
      overload('timestamp_to_string', [timestamp], string, timestampText),
      overload('uint64_to_string', [uint], string, (value: Uint) => String(value.value)),
    ],
  },
  {
    name: 'timestamp',
    overloads: [
      overload('timestamp_to_timestamp', [timestamp], timestamp, same),
      overload('int64_to_timestamp', [int], timestamp, timestampFromInt),
      overload('string_to_timestamp', [string], timestamp, timestampFromText),
    ],
  },
  {
    name: 'duration',
    overloads: [
      overload('duration_to_duration', [duration], duration, same),
      // declared, but no integer is a duration
      overload('int64_to_duration', [int], duration, () =>
        conversionError('int', 'google.protobuf.Duration'),
      ),
      overload(
        'string_to_duration',
        [string],
        duration,
        (text: string) => parseDuration(text) ?? conversionError('string', 'google.protobuf.Duration'),
      ),
    ],
  },
];
