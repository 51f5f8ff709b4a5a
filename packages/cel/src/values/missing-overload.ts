import type { CelType } from '../check/types.ts';
import { Operator } from '../syntax/ast.ts';
import { EvaluationError, noSuchOverload, typeOfValue, type Value } from './values.ts';

type Kinds = readonly CelType['kind'][];

const RECEIVERS: Kinds = ['string', 'timestamp', 'duration'];
const COUNTED: Kinds = ['int', 'uint', 'double', ...RECEIVERS];
const ORDERED: Kinds = ['bool', 'bytes', ...COUNTED];

/** Kinds of first operands that look at the others themselves: for them, an operator is not named. */
const FIRST_OPERANDS: ReadonlyMap<string, ReadonlySet<CelType['kind']>> = new Map(
  Object.entries({
    [Operator.less]: ORDERED,
    [Operator.lessEquals]: ORDERED,
    [Operator.greater]: ORDERED,
    [Operator.greaterEquals]: ORDERED,
    [Operator.add]: ['bytes', 'list', ...COUNTED],
    [Operator.subtract]: COUNTED,
    [Operator.multiply]: COUNTED,
    [Operator.divide]: COUNTED,
    [Operator.modulo]: ['int', 'uint', ...RECEIVERS],
    [Operator.negate]: ['bool', 'int', 'double', ...RECEIVERS],
    size: [],
  } satisfies Record<string, Kinds>).map(([name, kinds]) => [name, new Set<CelType['kind']>(kinds)]),
);

/** Functions that look at all operands themselves. */
const UNNAMED: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith', 'matches']);

/** The error of a call that no overload accepts, as release 1.32 words it: functions name the types of all operands, operators none. */
export function missingOverload(name: string, operands: readonly [Value, ...Value[]]): EvaluationError {
  if (UNNAMED.has(name)) return noSuchOverload();
  const kinds = FIRST_OPERANDS.get(name);
  if (kinds?.has(typeOfValue(operands[0]).kind)) return noSuchOverload();
  const types = kinds ? '' : `(${operands.map((operand) => typeOfValue(operand).name).join(', ')})`;
  return new EvaluationError(`no such overload: ${name}${types}`);
}
