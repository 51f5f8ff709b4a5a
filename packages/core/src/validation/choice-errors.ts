import { type FieldError, FieldErrors } from '../errors/field-error.ts';

const NO_ERRORS: readonly FieldError[] = [];

/** The error of an optional field whose value is none of the choices, as the empty string is. */
export function choiceErrors(
  path: string,
  value: string | undefined,
  choices: readonly string[],
): readonly FieldError[] {
  return value === undefined || choices.includes(value)
    ? NO_ERRORS
    : [FieldErrors.notSupported(path, value, choices)];
}

/** The error of a required field whose value is none of the choices; an empty value is missing. */
export function requiredChoiceErrors(
  path: string,
  value: string | undefined,
  choices: readonly string[],
): readonly FieldError[] {
  return value ? choiceErrors(path, value, choices) : [FieldErrors.required(path)];
}
