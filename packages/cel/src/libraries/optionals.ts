import { type FunctionDeclaration, type Library, method, overload } from '../check/declarations.ts';
import { types } from '../check/types.ts';
import { work } from '../cost/work.ts';
import { Operator } from '../syntax/ast.ts';
import { optionalMacros } from '../syntax/macros.ts';
import { isMap, mapSize } from '../values/maps.ts';
import { numeric } from '../values/numbers.ts';
import {
  Duration,
  EvaluationError,
  listItems,
  NONE,
  noSuchOverload,
  ObjectValue,
  Optional,
  Timestamp,
  Uint,
  type Value,
} from '../values/values.ts';

const A = types.parameter('A');
const B = types.parameter('B');
const listOfA = types.list(A);
const mapOfAB = types.map(A, B);
const optionalOfA = types.optional(A);
const optionalOfB = types.optional(B);

/** 0001-01-01T00:00:00Z, the zero timestamp. */
const ZERO_SECOND = -62_135_596_800;

function isZero(value: Value): boolean {
  if (value === null || value === false || value === '') return true;
  const number = numeric(value);
  if (number !== undefined) return Number(number) === 0;
  if (value instanceof Timestamp) return value.seconds === ZERO_SECOND && value.nanos === 0;
  if (value instanceof Duration) return value.seconds === 0 && value.nanos === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Optional) return value.value === undefined;
  if (value instanceof ObjectValue) return [...value.fields()].length === 0;
  const items = listItems(value);
  if (items) return items.length === 0;
  return isMap(value) && mapSize(value) === 0;
}

function unwrap(list: Value): Value {
  const items = listItems(list);
  if (!items) return noSuchOverload();
  work(items.length * 10);
  const present: Value[] = [];
  for (const item of items) {
    if (!(item instanceof Optional)) return new EvaluationError('value is not optional');
    if (item.value !== undefined) present.push(item.value);
  }
  return present;
}

/** Optional values, and optional access, before there were functions of lists. */
export const earlierOptionalLibrary: Library = {
  name: 'optionals',
  macros: optionalMacros,
  types: [types.optional(types.dyn)],
  functions: [
    {
      name: 'optional.of',
      overloads: [overload('optional_of', [A], optionalOfA, (value: Value) => new Optional(value))],
    },
    {
      name: 'optional.ofNonZeroValue',
      overloads: [
        overload('optional_ofNonZeroValue', [A], optionalOfA, (value: Value) =>
          isZero(value) ? NONE : new Optional(value),
        ),
      ],
    },
    { name: 'optional.none', overloads: [overload('optional_none', [], optionalOfA, () => NONE)] },
    {
      name: 'value',
      overloads: [
        method('optional_value', [optionalOfA], A, (optional: Optional) =>
          optional.value === undefined ? new EvaluationError('optional.none() dereference') : optional.value,
        ),
      ],
    },
    {
      name: 'hasValue',
      overloads: [
        method(
          'optional_hasValue',
          [optionalOfA],
          types.bool,
          (optional: Optional) => optional.value !== undefined,
        ),
      ],
    },
    {
      name: 'or',
      overloads: [
        method(
          'optional_or_optional',
          [optionalOfA, optionalOfA],
          optionalOfA,
          (first: Optional, second: Optional) => (first.value === undefined ? second : first),
        ),
      ],
    },
    {
      name: 'orValue',
      overloads: [
        method('optional_orValue_value', [optionalOfA, A], A, (optional: Optional, other: Value) =>
          optional.value === undefined ? other : optional.value,
        ),
      ],
    },
    {
      name: Operator.optionalSelect,
      overloads: [overload('select_optional_field', [types.dyn, types.string], optionalOfB)],
    },
    {
      name: Operator.index,
      overloads: [
        overload('optional_list_index_value', [types.optional(listOfA), types.int], optionalOfA),
        overload('optional_map_index_value', [types.optional(mapOfAB), A], optionalOfB),
      ],
    },
    {
      name: Operator.optionalIndex,
      overloads: [
        overload('list_optindex_optional_int', [listOfA, types.int], optionalOfA),
        overload('optional_list_optindex_optional_int', [types.optional(listOfA), types.int], optionalOfA),
        overload('map_optindex_optional_value', [mapOfAB, A], optionalOfB),
        overload('optional_map_optindex_optional_value', [types.optional(mapOfAB), A], optionalOfB),
      ],
    },
  ],
};

const listFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'optional.unwrap',
    overloads: [overload('optional_unwrap', [types.list(optionalOfA)], listOfA, unwrap)],
  },
  {
    name: 'unwrapOpt',
    overloads: [method('optional_unwrapOpt', [types.list(optionalOfA)], listOfA, unwrap)],
  },
  {
    name: 'first',
    overloads: [
      method('list_first', [listOfA], optionalOfA, (list: Value) => new Optional(listItems(list)?.[0])),
    ],
  },
  {
    name: 'last',
    overloads: [
      method('list_last', [listOfA], optionalOfA, (list: Value) => new Optional(listItems(list)?.at(-1))),
    ],
  },
];

/** Optional values, optional access, and what lists have of both. */
export const optionalLibrary: Library = {
  ...earlierOptionalLibrary,
  functions: [...(earlierOptionalLibrary.functions ?? []), ...listFunctions],
};
