import {
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  fieldErrorsOfSteps,
  type JsonValue,
  jsonEqual,
  type NameRule,
  parseIpAddress,
  portNameErrors,
  requiredChoiceErrors,
  type Steps,
  unmappedIpAddress,
} from '@ashlar/core';

// Errors of single fields, in the words that clients expect (semantics/status#reasons).

/** No errors. */
export const NO_ERRORS: readonly FieldError[] = [];

/** A required value. */
export function required(path: string, value: unknown): readonly FieldError[] {
  return isEmpty(value) ? [FieldErrors.required(path)] : [];
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** An optional value of an enumeration. */
export function optionalOneOf(
  path: string,
  value: string | undefined,
  choices: readonly string[],
): readonly FieldError[] {
  return value === undefined ? [] : requiredChoiceErrors(path, value, choices);
}

/** An optional number that must not be negative. */
export function nonNegative(path: string, value: number | undefined): readonly FieldError[] {
  return value !== undefined && value < 0
    ? [FieldErrors.invalid(path, value, 'must be greater than or equal to 0')]
    : [];
}

/** An immutable value. @param shown how the error prints it */
export function unchanged<T>(
  path: string,
  value: T,
  stored: unknown,
  shown: (value: T) => unknown = (value) => value,
): readonly FieldError[] {
  return jsonEqual(value as JsonValue, stored as JsonValue)
    ? []
    : [FieldErrors.invalid(path, shown(value), 'field is immutable')];
}

/** A required name that follows a rule. */
export function named(path: string, value: string | undefined, rule: NameRule): readonly FieldError[] {
  return value ? follows(path, value, rule) : [FieldErrors.required(path)];
}

/** A text that follows a rule. */
export function follows(path: string, value: string, rule: NameRule): readonly FieldError[] {
  return rule(value).map((why) => FieldErrors.invalid(path, value, why));
}

/** An optional text that follows a rule. */
export function optionalFollows(
  path: string,
  value: string | undefined,
  rule: NameRule,
): readonly FieldError[] {
  return value ? follows(path, value, rule) : [];
}

/** An error of a value that is wrong. */
export function invalidWhen(
  isWrong: boolean,
  path: string,
  value: unknown,
  why: string,
): readonly FieldError[] {
  return isWrong ? [FieldErrors.invalid(path, value, why)] : NO_ERRORS;
}

/** An error of a value that is not shown. */
export function contradictionWhen(isWrong: boolean, path: string, why: string): readonly FieldError[] {
  if (!isWrong) return NO_ERRORS;
  return [{ reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${why}` }];
}

/** An error of a field that must not be there. */
export function forbiddenWhen(isThere: boolean, path: string, why: string): readonly FieldError[] {
  return isThere ? [FieldErrors.forbidden(path, why)] : NO_ERRORS;
}

/** An error of a field that is missing. */
export function requiredWhen(isMissing: boolean, path: string, why = ''): readonly FieldError[] {
  return isMissing ? [FieldErrors.required(path, why)] : NO_ERRORS;
}

/** An optional number between two others. */
export function within(
  path: string,
  value: number | undefined,
  minimum: number,
  maximum: number,
): readonly FieldError[] {
  const isOutside = value !== undefined && (value < minimum || value > maximum);
  return invalidWhen(isOutside, path, value, `must be between ${minimum} and ${maximum}, inclusive`);
}

/** The number of a port, or its name. */
export function portNumberOrName(path: string, port: number | string | undefined): readonly FieldError[] {
  return typeof port === 'string' ? follows(path, port, portNameErrors) : portNumber(path, port);
}

/** The number of a port. */
export function portNumber(path: string, value: number | undefined): readonly FieldError[] {
  const port = value ?? 0;
  return port >= 1 && port <= 65_535
    ? []
    : [FieldErrors.invalid(path, port, 'must be between 1 and 65535, inclusive')];
}

/** Reports whether each value is a duplicate; empty ones never are. */
export function repetition(): (value: unknown) => boolean {
  const seen = new Set<unknown>();
  return (value) => {
    if (isEmpty(value)) return false;
    const before = seen.has(value);
    seen.add(value);
    return before;
  };
}

/** Errors of each item of a list, at its index. */
export function each<T>(
  path: string,
  list: readonly T[] | null | undefined,
  errorsOf: (item: T, path: string, index: number) => readonly FieldError[],
): readonly FieldError[] {
  if (!list || list.length === 0) return NO_ERRORS;
  return fieldErrorsOf(list, (item, index) => errorsOf(item, `${path}[${index}]`, index));
}

/** As {@link each}, with pauses: for lists that may be long. */
export function* eachSteps<T>(
  path: string,
  list: readonly T[] | null | undefined,
  errorsOf: (item: T, path: string, index: number) => readonly FieldError[],
): Steps<readonly FieldError[]> {
  if (!list || list.length === 0) return NO_ERRORS;
  return yield* fieldErrorsOfSteps(list, (item, index) => errorsOf(item, `${path}[${index}]`, index));
}

/** Errors of each member of a map, by its name. */
export function eachEntry<T>(
  map: Readonly<Record<string, T>> | null | undefined,
  errorsOf: (name: string, value: T) => readonly FieldError[],
): readonly FieldError[] {
  return map ? fieldErrorsOf(Object.entries(map), ([name, value]) => errorsOf(name, value)) : NO_ERRORS;
}

/** A valid address of another host. */
export function hostAddress(path: string, text: string): readonly FieldError[] {
  const invalid = (why: string): readonly FieldError[] => [FieldErrors.invalid(path, text, why)];
  const parsed = parseIpAddress(text);
  if (!parsed) return invalid('must be a valid IP address');
  const bytes = unmappedIpAddress(parsed);
  const [first = 0, second = 0] = bytes;
  const isShort = bytes.length === 4;
  if (bytes.every((byte) => byte === 0)) return invalid(`may not be unspecified (${text})`);
  if (isShort ? first === 127 : isLast(bytes))
    return invalid('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (isShort ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80)
    return invalid('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  const isMulticast = isShort
    ? first === 224 && second === 0 && bytes[2] === 0
    : first === 0xff && (second & 0x0f) === 2;
  return isMulticast ? invalid('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)') : [];
}

/** `::1`. */
const isLast = (bytes: Uint8Array): boolean =>
  bytes.every((byte, index) => byte === (index === bytes.length - 1 ? 1 : 0));
