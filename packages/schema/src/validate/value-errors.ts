import { excerpt, type FieldError, FieldErrors, goNumber, goQuote } from '@ashlar/core';

// Messages of semantics/schemas#validation-texts. A path is that of the value, with a `.` before a first map
// key; errors have it without.

const fieldOf = (path: string): string => {
  const field = path.startsWith('.') ? path.slice(1) : path;
  return field === '' ? '<nil>' : field;
};

/** A value in errors; null is quoted. */
export function printed(value: unknown): unknown {
  return value === null ? 'null' : value;
}

/** A value that violates a rule; the message begins with the path once more. */
export const ruleError = (path: string, value: unknown, text: string): FieldError =>
  FieldErrors.invalid(fieldOf(path), printed(value), `${path} in body ${text}`);

/** A value of a wrong type or format. */
export const typeError = (path: string, expectedType: string, found: string): FieldError =>
  FieldErrors.typeInvalid(
    fieldOf(path),
    found,
    `${path} in body must be of type ${expectedType}: ${goQuote(excerpt(found))}`,
  );

export const requiredError = (path: string): FieldError => FieldErrors.required(fieldOf(path));

/** A member that `additionalProperties: false` forbids. */
export const forbiddenError = (path: string, name: string): FieldError =>
  FieldErrors.invalid(fieldOf(path), name, `${path}.${name} in body is a forbidden property`);

export const enumError = (path: string, value: unknown, allowed: readonly unknown[]): FieldError => {
  const texts = allowed.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  return FieldErrors.notSupported(fieldOf(path), printed(value), texts);
};

export const tooLongError = (path: string, maximum: number): FieldError =>
  FieldErrors.tooLong(fieldOf(path), maximum);

export const tooManyError = (path: string, actual: number, maximum: number): FieldError =>
  FieldErrors.tooMany(fieldOf(path), actual, maximum);

export const factorError = (path: string, factor: number): FieldError =>
  FieldErrors.invalid(
    fieldOf(path),
    factor,
    `factor MultipleOf declared for ${path} must be positive: ${goNumber(factor)}`,
  );

/** An error of a combination of schemas, without a path of its own. */
export const combinationError = (path: string, text: string): FieldError =>
  FieldErrors.invalid('<nil>', '', `"${path}" must ${text}`);
