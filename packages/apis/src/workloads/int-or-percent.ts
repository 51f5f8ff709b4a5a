import { type FieldError, FieldErrors } from '@ashlar/core';
import { nonNegative } from './field-rules.ts';

const PERCENT: RegExp = /^[0-9]+%$/;

/** A number that is not negative, or a percentage. */
export function countOrPercent(path: string, value: number | string | undefined): readonly FieldError[] {
  if (value === undefined) return [];
  if (typeof value === 'number') return nonNegative(path, value);
  if (PERCENT.test(value)) return [];
  const why =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  return [FieldErrors.invalid(path, value, why)];
}

/** A percentage of at most 100, if it is one. */
export function atMostAll(path: string, value: number | string | undefined): readonly FieldError[] {
  if (typeof value !== 'string' || !PERCENT.test(value) || amountOf(value) <= 100) return [];
  return [FieldErrors.invalid(path, value, 'must not be greater than 100%')];
}

/** The number before the percent sign, or the number. */
export function amountOf(value: number | string | undefined): number {
  return typeof value === 'string' ? Number.parseInt(value, 10) || 0 : (value ?? 0);
}
