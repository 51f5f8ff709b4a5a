import { type FunctionDeclaration, type Implementation, method, overload } from '../check/declarations.ts';
import { types } from '../check/types.ts';
import { sizeOf } from '../cost/cost-model.ts';
import { compileLiteral, compilePattern } from '../regex/regex.ts';
import { indexOfPart } from '../values/text-search.ts';
import { EvaluationError, noSuchOverload, type Value } from '../values/values.ts';

const { bool, int, string, bytes } = types;
const A = types.parameter('A');
const B = types.parameter('B');
const SIZED = [
  ['bytes', bytes],
  ['list', types.list(A)],
  ['map', types.map(A, B)],
  ['string', string],
] as const;

function matches(text: string, source: string): Value {
  const pattern = compilePattern(source);
  return pattern instanceof EvaluationError ? pattern : pattern.test(text);
}

/** A constant pattern is compiled once, and rejected immediately if invalid. */
function prepareMatches([, source]: readonly (Value | undefined)[]):
  | Implementation
  | EvaluationError
  | undefined {
  if (typeof source !== 'string') return undefined;
  const pattern = compileLiteral(source);
  if (pattern instanceof EvaluationError) return pattern;
  return (text: Value) => (typeof text === 'string' ? pattern.test(text) : noSuchOverload());
}

/** Functions of texts, and `size`. */
export const textFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'size',
    overloads: SIZED.flatMap(([name, type]) => [
      overload(`size_${name}`, [type], int, sizeOf),
      method(`${name}_size`, [type], int, sizeOf),
    ]),
  },
  {
    name: 'contains',
    overloads: [
      method(
        'contains_string',
        [string, string],
        bool,
        (text: string, part: string) => indexOfPart(text, part) >= 0,
      ),
    ],
  },
  {
    name: 'startsWith',
    overloads: [
      method('starts_with_string', [string, string], bool, (text: string, part: string) =>
        text.startsWith(part),
      ),
    ],
  },
  {
    name: 'endsWith',
    overloads: [
      method('ends_with_string', [string, string], bool, (text: string, part: string) => text.endsWith(part)),
    ],
  },
  {
    name: 'matches',
    overloads: [
      overload('matches', [string, string], bool, matches),
      method('matches_string', [string, string], bool, matches),
    ],
    prepare: prepareMatches,
  },
];
