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

/** The type that release 1.32 names for a body: what it first reads of any. */
const BODY_TYPE =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Says that a body is no object, so that it has no kind. */
export function notAnObject(value: unknown): string {
  return jsonTypeError(value, BODY_TYPE).message;
}
