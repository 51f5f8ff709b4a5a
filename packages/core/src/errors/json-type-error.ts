import { ParseError } from './parse-error.ts';

/** The error for a JSON value of the wrong type: `json: cannot unmarshal number into Go value of type string`. */
export function jsonTypeError(value: unknown, expectedType: string, place = 'Go value'): ParseError {
  return new ParseError(
    `json: cannot unmarshal ${jsonTypeName(value)} into ${place} of type ${expectedType}`,
  );
}

/** The type of a JSON value as such errors name it. */
export function jsonTypeName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'bigint':
      return 'number';
    case 'boolean':
      return 'bool';
    default:
      return value === null ? 'null' : typeof value;
  }
}
