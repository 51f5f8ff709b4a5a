import { type FieldError, FieldErrors, type IntOrString, percentErrors } from '@ashlar/core';
import { nonNegative } from './field-rules.ts';

/** A number that is not negative, or a percentage. */
export function countOrPercent(path: string, value: IntOrString | undefined): readonly FieldError[] {
  if (value === undefined) return [];
  if (typeof value === 'number') return nonNegative(path, value);
  return percentErrors(value).map((why) => FieldErrors.invalid(path, value, why));
}

/** A percentage of at most 100, if it is one. */
export function atMostAll(path: string, value: IntOrString | undefined): readonly FieldError[] {
  if (typeof value !== 'string' || percentErrors(value).length > 0 || amountOf(value) <= 100) return [];
  return [FieldErrors.invalid(path, value, 'must not be greater than 100%')];
}

/** The number before the percent sign, or the number. */
export function amountOf(value: IntOrString | undefined): number {
  return typeof value === 'string' ? Number.parseInt(value, 10) || 0 : (value ?? 0);
}
