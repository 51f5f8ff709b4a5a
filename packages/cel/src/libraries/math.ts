import {
  type FunctionDeclaration,
  type Implementation,
  type Library,
  overload,
} from '../check/declarations.ts';
import { type CelType, types } from '../check/types.ts';
import { work } from '../cost/work.ts';
import type { Expression } from '../syntax/ast.ts';
import { MacroError } from '../syntax/macro-error.ts';
import { type Macro, VARIABLE_ARGUMENTS } from '../syntax/macros.ts';
import { compareNumbers, doubleOf, numeric, toInt } from '../values/numbers.ts';
import { type Double, EvaluationError, listItems, toDouble, Uint, type Value } from '../values/values.ts';

const { bool, int, uint, double, dyn } = types;
const NUMBERS = [
  ['double', double],
  ['int', int],
  ['uint', uint],
] as const;

function isNumeric(node: Expression): boolean {
  if (node.kind === 'constant') return numeric(node.value) !== undefined;
  return node.kind !== 'list' && node.kind !== 'map' && node.kind !== 'message';
}

/** `math.least(…)` and `math.greatest(…)`: any number of arguments become a pair or a list. */
function extremeMacro(name: 'least' | 'greatest', called: string): Macro {
  return {
    name,
    member: true,
    arguments: VARIABLE_ARGUMENTS,
    expand(make, args, target) {
      if (target?.kind !== 'identifier' || target.name !== 'math') return undefined;
      const [first] = args;
      if (!first) throw new MacroError(`math.${name}() requires at least one argument`, target.position);
      if (args.length === 1) {
        const usable =
          isNumeric(first) ||
          (first.kind === 'list' && first.elements.length > 0 && first.elements.every(isNumeric));
        if (!usable) throw new MacroError(`math.${name}() invalid single argument value`, first.position);
        return make.call(called, [first]);
      }
      for (const arg of args) {
        if (!isNumeric(arg))
          throw new MacroError(`math.${name}() simple literal arguments must be numeric`, arg.position);
      }
      return make.call(called, args.length === 2 ? args : [make.list(args)]);
    },
  };
}

/** Picks one of two numbers of any types; the first if they are equal. */
function pick(sign: 1 | -1): (a: Value, b: Value) => Value {
  return (a, b) => ((compareNumbers(a, b) ?? 0) * sign > 0 ? b : a);
}

function pickFrom(name: string, choose: (a: Value, b: Value) => Value): (list: Value) => Value {
  return (list) => {
    const items = listItems(list) ?? [];
    work(items.length * 10);
    if (items.length === 0) return new EvaluationError(`${name}(list) argument must not be empty`);
    if (items.some((item) => numeric(item) === undefined))
      return new EvaluationError(`no such overload: ${name}`);
    return items.reduce(choose);
  };
}

function extreme(name: string, sign: 1 | -1): FunctionDeclaration {
  const choose = pick(sign);
  const id = name.replace('.', '_');
  const pairs = NUMBERS.flatMap(([a, left]) =>
    NUMBERS.map(([b, right]) => overload(`${id}_${a}_${b}`, [left, right], a === b ? left : dyn, choose)),
  );
  const single = NUMBERS.map(([a, type]) => overload(`${id}_${a}`, [type], type, (value: Value) => value));
  const lists = NUMBERS.map(([a, type]) =>
    overload(`${id}_list_${a}`, [types.list(type)], type, pickFrom(name, choose)),
  );
  return { name, overloads: [...single, ...pairs, ...lists] };
}

const numberOf = (value: Value): number => doubleOf(value) as number;

function rounding(name: string, round: (value: number) => number): FunctionDeclaration {
  const evaluate = (value: Value): Value => toDouble(round(numberOf(value)));
  return { name: `math.${name}`, overloads: [overload(`math_${name}_double`, [double], double, evaluate)] };
}

function test(name: string, holds: (value: number) => boolean): FunctionDeclaration {
  const evaluate = (value: Value): Value => holds(numberOf(value));
  return { name: `math.${name}`, overloads: [overload(`math_${name}_double`, [double], bool, evaluate)] };
}

/** Rounds halves away from zero; JavaScript rounds them up. */
const roundHalfAway = (value: number): number => {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
};

const absoluteInt = (value: number | bigint): Value => {
  if (typeof value === 'number') return Math.abs(value);
  if (value === -(2n ** 63n)) return new EvaluationError('integer overflow');
  return toInt(value < 0n ? -value : value);
};

const perType = (
  name: string,
  results: Readonly<Record<'double' | 'int' | 'uint', [CelType, Implementation]>>,
): FunctionDeclaration => ({
  name: `math.${name}`,
  overloads: NUMBERS.map(([id, type]) => overload(`math_${name}_${id}`, [type], ...results[id])),
});

const root = (value: Value): Value => toDouble(Math.sqrt(Number(numeric(value))));

const asInt = (value: bigint): Value => toInt(BigInt.asIntN(64, value));
const asUint = (value: bigint): Value => new Uint(BigInt.asUintN(64, value));

function bitwise(name: string, operate: (a: bigint, b: bigint) => bigint): FunctionDeclaration {
  return {
    name: `math.${name}`,
    overloads: [
      overload(`math_${name}_int_int`, [int, int], int, (a: number | bigint, b: number | bigint) =>
        asInt(operate(BigInt(a), BigInt(b))),
      ),
      overload(`math_${name}_uint_uint`, [uint, uint], uint, (a: Uint, b: Uint) =>
        asUint(operate(a.value, b.value)),
      ),
    ],
  };
}

/** Shifts of 64 bits as unsigned ones: a shift by 64 or more returns zero. */
function shift(name: string, operate: (value: bigint, bits: bigint) => bigint): FunctionDeclaration {
  const shifted = (value: bigint, bits: number | bigint, wrap: (value: bigint) => Value): Value => {
    if (bits < 0) return new EvaluationError(`math.${name}() negative offset: ${bits}`);
    return wrap(bits >= 64 ? 0n : operate(BigInt.asUintN(64, value), BigInt(bits)));
  };
  const id = `math_${name}`;
  return {
    name: `math.${name}`,
    overloads: [
      overload(`${id}_int_int`, [int, int], int, (value: number | bigint, bits: number | bigint) =>
        shifted(BigInt(value), bits, asInt),
      ),
      overload(`${id}_uint_int`, [uint, int], uint, (value: Uint, bits: number | bigint) =>
        shifted(value.value, bits, asUint),
      ),
    ],
  };
}

const bitNot: FunctionDeclaration = {
  name: 'math.bitNot',
  overloads: [
    overload('math_bitNot_int_int', [int], int, (value: number | bigint) => asInt(~BigInt(value))),
    overload('math_bitNot_uint_uint', [uint], uint, (value: Uint) => asUint(~value.value)),
  ],
};

const same = (value: Value): Value => value;

/** Functions of numbers. */
export const mathLibrary: Library = {
  name: 'math',
  macros: [extremeMacro('least', 'math.@min'), extremeMacro('greatest', 'math.@max')],
  functions: [
    extreme('math.@min', 1),
    extreme('math.@max', -1),
    rounding('ceil', Math.ceil),
    rounding('floor', Math.floor),
    rounding('round', roundHalfAway),
    rounding('trunc', Math.trunc),
    test('isInf', (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
    test('isNaN', Number.isNaN),
    test('isFinite', Number.isFinite),
    perType('abs', {
      double: [double, (value: number | Double) => toDouble(Math.abs(numberOf(value)))],
      int: [int, absoluteInt],
      uint: [uint, same],
    }),
    perType('sign', {
      double: [double, (value: Value) => toDouble(Math.sign(numberOf(value)))],
      int: [int, (value: number | bigint) => (value > 0 ? 1 : value < 0 ? -1 : 0)],
      uint: [uint, (value: Uint) => new Uint(value.value > 0n ? 1n : 0n)],
    }),
    perType('sqrt', { double: [double, root], int: [double, root], uint: [double, root] }),
    bitwise('bitAnd', (a, b) => a & b),
    bitwise('bitOr', (a, b) => a | b),
    bitwise('bitXor', (a, b) => a ^ b),
    bitNot,
    shift('bitShiftLeft', (value, bits) => value << bits),
    shift('bitShiftRight', (value, bits) => value >> bits),
  ],
};
