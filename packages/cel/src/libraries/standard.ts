import { type FunctionDeclaration, type Library, type Overload, overload } from '../check/declarations.ts';
import { type CelType, types } from '../check/types.ts';
import {
  add,
  equals,
  greater,
  greaterEquals,
  isIn,
  less,
  lessEquals,
  not,
  notEquals,
  notStrictlyFalse,
  subtract,
} from '../plan/operators.ts';
import { Operator } from '../syntax/ast.ts';
import { divide, modulo, multiply, negate } from '../values/numbers.ts';
import { noSuchOverload } from '../values/values.ts';
import { conversionFunctions } from './standard-conversions.ts';
import { textFunctions } from './standard-text.ts';
import { timeFunctions } from './standard-time.ts';

const { bool, int, uint, double, string, bytes, timestamp, duration } = types;
const A = types.parameter('A');
const B = types.parameter('B');
const listOfA = types.list(A);
const mapOfAB = types.map(A, B);

/** Ordered types, by their names in overloads. */
const ORDERED: readonly (readonly [string, CelType])[] = [
  ['bool', bool],
  ['int64', int],
  ['uint64', uint],
  ['double', double],
  ['string', string],
  ['bytes', bytes],
  ['timestamp', timestamp],
  ['duration', duration],
];
const NUMBERS = ORDERED.slice(1, 4);

/** Overloads that compare numbers of different types. */
export const crossTypeOverloads: ReadonlySet<string> = new Set(
  ['less', 'less_equals', 'greater', 'greater_equals'].flatMap((verb) =>
    crossPairs(verb).map(({ id }) => id),
  ),
);

function crossPairs(verb: string): Overload[] {
  return NUMBERS.flatMap(([a, left]) =>
    NUMBERS.filter(([b]) => b !== a).map(([b, right]) => overload(`${verb}_${a}_${b}`, [left, right], bool)),
  );
}

function comparison(
  name: string,
  verb: string,
  evaluate: FunctionDeclaration['evaluate'],
): FunctionDeclaration {
  const same = ORDERED.map(([id, type]) => overload(`${verb}_${id}`, [type, type], bool));
  return { name, overloads: [...same, ...crossPairs(verb)], ...(evaluate && { evaluate }) };
}

function arithmetic(
  name: string,
  verb: string,
  operands: readonly (readonly [string, CelType])[],
  evaluate: FunctionDeclaration['evaluate'],
  more: readonly Overload[] = [],
): FunctionDeclaration {
  const same = operands.map(([id, type]) => overload(`${verb}_${id}`, [type, type], type));
  return { name, overloads: [...same, ...more], ...(evaluate && { evaluate }) };
}

const logic: readonly FunctionDeclaration[] = [
  { name: Operator.conditional, overloads: [overload('conditional', [bool, A, A], A)] },
  { name: Operator.and, overloads: [overload('logical_and', [bool, bool], bool)] },
  { name: Operator.or, overloads: [overload('logical_or', [bool, bool], bool)] },
  { name: Operator.not, overloads: [overload('logical_not', [bool], bool)], evaluate: not },
  {
    name: Operator.notStrictlyFalse,
    overloads: [overload('not_strictly_false', [bool], bool)],
    evaluate: notStrictlyFalse,
  },
  { name: Operator.equals, overloads: [overload('equals', [A, A], bool)], evaluate: equals },
  { name: Operator.notEquals, overloads: [overload('not_equals', [A, A], bool)], evaluate: notEquals },
];

const comparisons: readonly FunctionDeclaration[] = [
  comparison(Operator.less, 'less', less),
  comparison(Operator.lessEquals, 'less_equals', lessEquals),
  comparison(Operator.greater, 'greater', greater),
  comparison(Operator.greaterEquals, 'greater_equals', greaterEquals),
];

const sums: readonly FunctionDeclaration[] = [
  arithmetic(
    Operator.add,
    'add',
    [...NUMBERS, ['string', string], ['bytes', bytes], ['list', listOfA], ['duration_duration', duration]],
    add,
    [
      overload('add_timestamp_duration', [timestamp, duration], timestamp),
      overload('add_duration_timestamp', [duration, timestamp], timestamp),
    ],
  ),
  arithmetic(Operator.subtract, 'subtract', [...NUMBERS, ['duration_duration', duration]], subtract, [
    overload('subtract_timestamp_timestamp', [timestamp, timestamp], duration),
    overload('subtract_timestamp_duration', [timestamp, duration], timestamp),
  ]),
  arithmetic(Operator.multiply, 'multiply', NUMBERS, multiply),
  arithmetic(Operator.divide, 'divide', NUMBERS, divide),
  arithmetic(Operator.modulo, 'modulo', NUMBERS.slice(0, 2), modulo),
  {
    name: Operator.negate,
    overloads: [overload('negate_int64', [int], int), overload('negate_double', [double], double)],
    evaluate: negate,
  },
];

const containers: readonly FunctionDeclaration[] = [
  {
    name: Operator.index,
    overloads: [overload('index_list', [listOfA, int], A), overload('index_map', [mapOfAB, A], B)],
    evaluate: noSuchOverload,
  },
  {
    name: Operator.in,
    overloads: [overload('in_list', [A, listOfA], bool), overload('in_map', [A, mapOfAB], bool)],
    evaluate: isIn,
  },
];

/** The functions and operators of the language definition. */
export const standardLibrary: Library = {
  name: 'standard',
  functions: [
    ...logic,
    ...comparisons,
    ...sums,
    ...containers,
    ...conversionFunctions,
    ...textFunctions,
    ...timeFunctions,
  ],
  types: [
    bool, int, uint, double, string, bytes, types.null, types.list(), types.map(), types.type, types.dyn,
    types.timestamp, types.duration, types.any,
  ], // biome-ignore format: a table
};
