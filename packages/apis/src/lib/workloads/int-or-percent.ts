import { type FieldError, FieldErrors } from '@ashlar/core';

const PERCENT: RegExp = /^[0-9]+%$/;

/** A number that is not negative, or a percentage of at most 100. */
export function countOrPercent(path: string, value: number | string | undefined): readonly FieldError[] {
  if (value === undefined) return [];
  if (typeof value === 'number')
    return value < 0 ? [FieldErrors.invalid(path, value, 'must be greater than or equal to 0')] : [];
  if (!PERCENT.test(value)) {
    const why =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
    return [FieldErrors.invalid(path, value, why)];
  }
  return Number.parseInt(value, 10) > 100
    ? [FieldErrors.invalid(path, value, 'must not be greater than 100%')]
    : [];
}

/** A number or percentage that may be any percentage. */
export function countOrAnyPercent(path: string, value: number | string | undefined): readonly FieldError[] {
  return countOrPercent(path, value).filter(({ message }) => !message.endsWith('100%'));
}

/** The number in front of the percent sign, or the number. */
export function amountOf(value: number | string | undefined): number {
  return typeof value === 'string' ? Number.parseInt(value, 10) || 0 : (value ?? 0);
}
