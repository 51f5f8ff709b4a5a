import type { JsonValue } from '@ashlar/core';
import { JsonPathError } from './json-path-error.ts';

/** An operand of a comparison; `isFloat` if a number was spelled with a decimal point. */
export interface Operand {
  readonly value: JsonValue;
  readonly isFloat?: boolean;
}

/**
 * Compares two values as filters do: only scalars of the same type, where integers and floats differ.
 * @throws JsonPathError
 */
export function compare(left: Operand, operator: string, right: Operand): boolean {
  const kind = kindOf(left);
  if (kind !== kindOf(right)) throw new JsonPathError('incompatible types for comparison');
  const a = left.value as string;
  const b = right.value as string;
  switch (operator) {
    case '==':
      return isEqual(a, b);
    case '!=':
      return !isEqual(a, b);
    case '<':
    case '>':
    case '<=':
    case '>=':
      if (kind === 'boolean') throw new JsonPathError('invalid type for comparison');
      return operator.startsWith('<')
        ? a < b || (operator === '<=' && isEqual(a, b))
        : compareMore(a, operator, b);
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

const compareMore = (a: string, operator: string, b: string): boolean =>
  a > b || (operator === '>=' && isEqual(a, b));

// biome-ignore lint/suspicious/noDoubleEquals: a number equals the bigint of its value
const isEqual = (a: string, b: string): boolean => a == b;

function kindOf({ value, isFloat }: Operand): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return typeof value;
    case 'bigint':
      return 'integer';
    case 'number':
      return isFloat || !Number.isInteger(value) ? 'number' : 'integer';
    default:
      throw new JsonPathError('invalid type for comparison');
  }
}
