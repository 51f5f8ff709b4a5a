// Values and types of the expression vectors (see the README next to the data).
import {
  buildMap,
  type CelType,
  CidrValue,
  Double,
  Duration,
  IpValue,
  isMap,
  ListValue,
  listItems,
  mapGet,
  mapKeyOf,
  mapKeys,
  Opaque,
  Optional,
  parseDuration,
  parseTimestamp,
  Timestamp,
  TypeValue,
  toDouble,
  toInt,
  types,
  Uint,
  type Value,
  valuesEqual,
} from '@ashlar/cel';

/** A value in the notation of the vectors: an object of one key. */
export type Encoded = Readonly<Record<string, unknown>>;

const number = (value: unknown): number =>
  typeof value === 'number' ? value : value === '-0' ? -0 : Number(value as string);

export function decode(encoded: Encoded): Value {
  const [kind, content] = Object.entries(encoded)[0] as [string, never];
  switch (kind) {
    case 'int':
      return toInt(BigInt(content));
    case 'uint':
      return new Uint(BigInt(content));
    case 'double':
      return toDouble(number(content));
    case 'bytes':
      return Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
    case 'list':
      return (content as Encoded[]).map(decode);
    case 'map':
      return buildMap((content as [Encoded, Encoded][]).map(([key, value]) => [decode(key), decode(value)]));
    case 'type':
      return new TypeValue(typeNamed(content));
    case 'timestamp':
      return parseTimestamp(content) as Value;
    case 'duration':
      return parseDuration(content) as Value;
    case 'optional':
      return new Optional(content === null ? undefined : decode(content));
    default:
      return content;
  }
}

/** Whether an evaluation returned what a vector expects: equal and of the same type, NaN matching NaN. */
export function matches(actual: Value, encoded: Encoded): boolean {
  if ('opaque' in encoded) return actual instanceof Opaque && opaqueText(actual) === encoded.string;
  const expected = decode(encoded);
  if (typeof expected === 'number' && Number.isNaN(expected))
    return typeof actual === 'number' && Number.isNaN(actual);
  return sameForm(actual, expected) && valuesEqual(actual, expected);
}

function opaqueText(value: Opaque): string {
  return value instanceof IpValue || value instanceof CidrValue ? value.text : String(value);
}

/** Numbers that are equal across types are different results. */
function sameForm(actual: Value, expected: Value): boolean {
  if (
    expected instanceof Double ||
    expected instanceof Uint ||
    expected instanceof Timestamp ||
    expected instanceof Duration
  ) {
    return actual instanceof expected.constructor;
  }
  if (typeof expected !== 'object') return typeof actual === typeof expected;
  const items = listItems(expected);
  if (items) {
    const others = listItems(actual);
    return (
      others !== undefined &&
      others.length === items.length &&
      (actual instanceof ListValue || items.every((item, i) => sameForm(others[i] as Value, item)))
    );
  }
  if (isMap(expected)) {
    return (
      isMap(actual) &&
      mapKeys(expected).every((key) => {
        const value = mapGet(actual, mapKeyOf(key) as string);
        return value !== undefined && sameForm(value, mapGet(expected, mapKeyOf(key) as string) as Value);
      })
    );
  }
  return true;
}

const SIMPLE: Readonly<Record<string, CelType>> = {
  int: types.int,
  uint: types.uint,
  double: types.double,
  bool: types.bool,
  string: types.string,
  bytes: types.bytes,
  dyn: types.dyn,
  any: types.any,
  null: types.null,
  null_type: types.null,
  timestamp: types.timestamp,
  duration: types.duration,
  'google.protobuf.Timestamp': types.timestamp,
  'google.protobuf.Duration': types.duration,
  type: types.type,
  list: types.list(),
  map: types.map(),
  optional_type: types.optional(types.dyn),
};

/** The type of a text such as `map(string, list(int))`. Single letters are type parameters. */
export function typeNamed(text: string): CelType {
  const open = text.indexOf('(');
  if (open < 0) {
    const simple = SIMPLE[text];
    if (simple) return simple;
    if (/^[A-Z]$/.test(text)) return types.parameter(text);
    return text.includes('.') ? types.object(text) : types.abstract(text);
  }
  const name = text.slice(0, open);
  const parameters = splitTypes(text.slice(open + 1, -1)).map(typeNamed);
  const [first = types.dyn, second = types.dyn] = parameters;
  switch (name) {
    case 'list':
      return types.list(first);
    case 'map':
      return types.map(first, second);
    case 'type':
      return types.typeOf(first);
    case 'wrapper':
      return types.wrapper(first);
    case 'optional_type':
    case 'optional':
      return types.optional(first);
    default:
      return types.abstract(name, ...parameters);
  }
}

function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    else if (text[i] === ',' && depth === 0) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  if (text.trim() !== '') parts.push(text.slice(start).trim());
  return parts;
}
