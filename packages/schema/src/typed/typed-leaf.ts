import {
  canonicalBase64,
  durationText,
  encodeBase64,
  goQuote,
  type JsonValue,
  ParseError,
  parseDuration,
  parseQuantity,
  type Schema,
} from '@ashlar/core';
import { SpelledNumber } from '../formats/spelled-number.ts';
import { canonicalMicroTime, canonicalTime } from '../formats/time-text.ts';
import { fractionError, type GoKind } from './restore-error.ts';
import type { TypedContext } from './typed-context.ts';
import { TypedDecodeError } from './typed-decode-error.ts';
import type { TypedInput, TypedNode } from './typed-node.ts';

/** A type that is printed as a scalar, or whose content has no schema. */
export function leafNode(schema: Schema, path: string): TypedNode {
  if (schema.intOrString) return INT_OR_STRING;
  const byFormat = schema.format === undefined ? undefined : FORMATS.get(schema.format);
  if (byFormat) return byFormat;
  switch (schema.type) {
    case 'string':
      return schema.typeName ? named(STRING, schema.typeName) : STRING;
    case 'boolean':
      return BOOLEAN;
    case 'integer':
      return schema.format === 'int32' ? INT32 : INT64;
    case 'number':
      return DOUBLE;
    case 'object':
    case undefined:
      return RAW;
    default:
      throw new TypeError(
        `schema of ${path || 'the root'}: no built-in type has the type ${goQuote(schema.type)}`,
      );
  }
}

interface Leaf {
  readonly goType: string;
  readonly plain?: TypedNode['plain'];
  /** What an array is decoded as. */
  readonly items?: TypedNode;
  readonly zero: JsonValue;
  readonly nullResets?: boolean;
  decode(value: TypedInput, context: TypedContext): JsonValue;
}

const leaf = ({ goType, plain, items, zero, nullResets = false, decode }: Leaf): TypedNode => ({
  goType: () => goType,
  shape: { kind: 'leaf', ...(items && { inside: items }) },
  nullResets,
  ...(plain && { plain }),
  decode,
  zero: () => zero,
  isEmpty: (value) => value === zero,
});

/** A named scalar type: errors name it. */
const named = (node: TypedNode, typeName: string): TypedNode => {
  const goType = typeName.split('.').slice(-2).join('.');
  return leaf({
    goType,
    plain: node.plain,
    zero: node.zero(),
    decode(value, context) {
      if (typeof value !== 'string' && value !== null) context.saveTypeError(value, 'string', goType);
      return typeof value === 'string' ? value : '';
    },
  });
};

const STRING: TypedNode = leaf({
  goType: 'string',
  plain: 'string',
  zero: '',
  decode(value, context) {
    if (typeof value === 'string') return value;
    if (value !== null) context.saveTypeError(value, 'string');
    return '';
  },
});

const BOOLEAN: TypedNode = leaf({
  goType: 'bool',
  plain: 'boolean',
  zero: false,
  decode(value, context) {
    if (typeof value === 'boolean') return value;
    if (value !== null) context.saveTypeError(value, 'bool');
    return false;
  },
});

const DOUBLE: TypedNode = leaf({
  goType: 'float64',
  zero: 0,
  decode(value, context) {
    if (value === null) return 0;
    const number = value instanceof SpelledNumber ? Number(value.text) : value;
    if (typeof number !== 'number' && typeof number !== 'bigint') context.saveTypeError(value, 'float64');
    else if (Number.isFinite(Number(number))) return number;
    else context.save(context.numberError(value as SpelledNumber, 'float64'));
    return 0;
  },
});

function integer(goType: GoKind, least: bigint, most: bigint): TypedNode {
  const ofMap = (value: TypedInput): string | undefined =>
    typeof value === 'number' && !Number.isInteger(value) ? fractionError(goType) : undefined;
  const decode = (value: TypedInput, context: TypedContext): JsonValue => {
    if (isIntegerWithin(value, least, most)) return (value || 0) as number;
    if (value === null) return 0;
    if (!isNumber(value)) context.saveTypeError(value, goType);
    else if (!context.hasError) context.save(context.numberError(value, goType, ofMap(value)));
    return 0;
  };
  return leaf({ goType, zero: 0, decode });
}

const isNumber = (value: TypedInput): value is number | bigint | SpelledNumber =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof SpelledNumber;

function isIntegerWithin(value: TypedInput, least: bigint, most: bigint): boolean {
  if (typeof value === 'bigint') return value >= least && value <= most;
  if (typeof value !== 'number' || !Number.isInteger(value)) return false;
  if (Number.isSafeInteger(value)) return value >= least && value <= most;
  const whole = BigInt(value);
  return whole >= least && whole <= most;
}

const INT32_LEAST = -(2n ** 31n);
const INT32_MOST = 2n ** 31n - 1n;
const INT32: TypedNode = integer('int32', INT32_LEAST, INT32_MOST);
const INT64: TypedNode = integer('int64', -(2n ** 63n), 2n ** 63n - 1n);

const INT_OR_STRING: TypedNode = leaf({
  goType: 'intstr.IntOrString',
  zero: 0,
  nullResets: true,
  decode(value, context) {
    if (typeof value === 'string') return value;
    if (value === null) return 0;
    if (isIntegerWithin(value, INT32_LEAST, INT32_MOST)) return value as number;
    throw isNumber(value) ? context.numberError(value, 'int32') : context.typeError(value, 'int32');
  },
});

const UINT8: TypedNode = integer('uint8', 0n, 255n);

/** Base64, or an array of numbers. */
const BYTES: TypedNode = leaf({
  goType: '[]uint8',
  items: UINT8,
  zero: null,
  nullResets: true,
  decode(value, context) {
    if (value === null) return null;
    if (Array.isArray(value))
      return encodeBase64(Uint8Array.from(value, (item) => UINT8.decode(item, context) as number));
    if (typeof value !== 'string') {
      context.saveTypeError(value, 'slice', '[]uint8');
      return null;
    }
    if (context.hasError) return null;
    try {
      return parsed(() => canonicalBase64(value));
    } catch (error) {
      if (error instanceof TypedDecodeError) context.save(error);
      else throw error;
      return null;
    }
  },
});

/** Converts errors of parsers to errors of the decoder. */
function parsed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw ParseError.is(error) ? new TypedDecodeError(error.message) : error;
  }
}

const time = (canonical: (text: string) => string | null): TypedNode =>
  leaf({
    goType: 'v1.Time',
    zero: null,
    nullResets: true,
    decode(value, context) {
      if (value === null) return null;
      if (typeof value !== 'string') throw context.typeError(value, 'string');
      return parsed(() => canonical(value));
    },
  });

const DURATION: TypedNode = leaf({
  goType: 'v1.Duration',
  zero: '0s',
  nullResets: true,
  decode(value, context) {
    if (value === null || typeof value === 'string')
      return parsed(() => durationText(parseDuration(value ?? '')));
    throw context.typeError(value, 'string');
  },
});

const canonicalQuantity = (text: string): string => parsed(() => parseQuantity(text.trim()).toString());

const QUANTITY: TypedNode = leaf({
  goType: 'resource.Quantity',
  zero: '0',
  nullResets: true,
  decode(value, context) {
    context.countQuantities(1);
    if (value === null) return '0';
    if (value instanceof SpelledNumber) return canonicalQuantity(value.text);
    return canonicalQuantity(typeof value === 'object' ? '{}' : String(value));
  },
});

const RAW: TypedNode = leaf({
  goType: 'runtime.RawExtension',
  zero: null,
  decode(value, context) {
    if (value instanceof SpelledNumber) return JSON.parse(value.text) as JsonValue;
    context.skip(value);
    return value;
  },
});

const FORMATS: ReadonlyMap<string, TypedNode> = new Map([
  ['byte', { ...BYTES, isEmpty: (value: JsonValue) => value === null || value === '' }],
  ['date-time', time(canonicalTime)],
  ['date-time-micro', time(canonicalMicroTime)],
  ['duration', DURATION],
  ['quantity', QUANTITY],
  ['fields-v1', RAW],
  ['raw-extension', RAW],
]);
