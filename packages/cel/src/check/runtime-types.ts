import { isMap } from '../values/maps.ts';
import { isDouble, isInt } from '../values/numbers.ts';
import {
  Boxed,
  Duration,
  ListValue,
  listItems,
  ObjectValue,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../values/values.ts';
import type { CelType } from './types.ts';

/** Whether a value is of a type. */
export type TypeTest = (value: Value) => boolean;

const TESTS: Readonly<Record<CelType['kind'], TypeTest>> = {
  dyn: () => true,
  any: () => true,
  parameter: () => true,
  error: () => false,
  null_type: (value) => value === null,
  bool: (value) => typeof value === 'boolean',
  int: isInt,
  uint: (value) => value instanceof Uint,
  double: isDouble,
  string: (value) => typeof value === 'string',
  bytes: (value) => value instanceof Uint8Array,
  timestamp: (value) => value instanceof Timestamp,
  duration: (value) => value instanceof Duration,
  list: (value) => Array.isArray(value) || value instanceof ListValue,
  map: isMap,
  type: (value) => value instanceof TypeValue,
  object: (value) => value instanceof Boxed,
  abstract: (value) => value instanceof Boxed,
};

/** The test for values of a type; of lists the first item is looked at, of maps and optionals nothing inside. */
export function accepts(type: CelType): TypeTest {
  const { kind, name, parameters } = type;
  const [itemType] = parameters;
  const isOfItems = kind === 'list' && itemType !== undefined && isSimple(itemType);
  const test = isOfItems
    ? listOf(accepts(itemType))
    : kind === 'object' || kind === 'abstract'
      ? named(name)
      : TESTS[kind];
  return type.nullable ? (value) => value === null || test(value) : test;
}

/** Kinds of types of which every value is. */
const TAKES_ALL: ReadonlySet<CelType['kind']> = new Set(['dyn', 'any', 'parameter']);

/** Lists of lists are not looked into: `[1].flatten()` is `[1]` where its type is not known before. */
const isSimple = ({ kind, parameters }: CelType): boolean => parameters.length === 0 && !TAKES_ALL.has(kind);

function listOf(takesItem: TypeTest): TypeTest {
  return (value) => {
    const items = listItems(value);
    return items !== undefined && (items.length === 0 || takesItem(items[0] as Value));
  };
}

function named(name: string): TypeTest {
  if (name === 'optional_type') return (value) => value instanceof Optional;
  return (value) => (value instanceof Opaque || value instanceof ObjectValue) && value.type.name === name;
}
