import { isDouble, isInt } from '../values/numbers.ts';
import {
  Boxed,
  Duration,
  isMap,
  ListValue,
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

/** The test for values of a type; parameters of lists, maps and optionals are not looked into. */
export function accepts(type: CelType): TypeTest {
  const { kind, name } = type;
  const test = kind === 'object' || kind === 'abstract' ? named(name) : TESTS[kind];
  return type.nullable ? (value) => value === null || test(value) : test;
}

function named(name: string): TypeTest {
  if (name === 'optional_type') return (value) => value instanceof Optional;
  return (value) => (value instanceof Opaque || value instanceof ObjectValue) && value.type.name === name;
}
