import {
  type FieldError,
  FieldErrors,
  PrintedValue,
  parseQuantity,
  type Quantity,
  qualifiedNameErrors,
} from '@ashlar/core';
import type { ResourceList, ResourceRequirements } from './pod-types.ts';

const STANDARD: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];
const ZERO: Quantity = parseQuantity('0');

/** Errors of limits and requests of a container. */
export function resourceErrors(
  { limits = {}, requests = {} }: ResourceRequirements,
  path: string,
): readonly FieldError[] {
  return [
    ...Object.entries(limits).flatMap(([name, amount]) => [
      ...resourceNameErrors(name, `${path}.limits[${name}]`),
      ...amountErrors(amount, `${path}.limits[${name}]`),
    ]),
    ...Object.entries(requests).flatMap(([name, amount]) => [
      ...resourceNameErrors(name, `${path}.requests[${name}]`),
      ...amountErrors(amount, `${path}.requests[${name}]`),
      ...boundErrors(name, amount, limits, `${path}.requests`),
    ]),
  ];
}

/** A quantity that is not negative. */
export function amountErrors(amount: string, path: string): readonly FieldError[] {
  return parseQuantity(amount).compare(ZERO) < 0
    ? [FieldErrors.invalid(path, amount, 'must be greater than or equal to 0')]
    : [];
}

function resourceNameErrors(name: string, path: string): readonly FieldError[] {
  const bare = new PrintedValue(name);
  const errors = qualifiedNameErrors(name).map((why) => FieldErrors.invalid(path, bare, why));
  if (errors.length > 0 || name.includes('/')) return errors;
  if (STANDARD.includes(name) || name.startsWith('hugepages-')) return [];
  return [
    FieldErrors.invalid(path, bare, 'must be a standard resource type or fully qualified'),
    FieldErrors.invalid(path, bare, 'must be a standard resource for containers'),
  ];
}

function boundErrors(
  name: string,
  amount: string,
  limits: ResourceList,
  path: string,
): readonly FieldError[] {
  const limit = limits[name];
  if (limit === undefined || parseQuantity(amount).compare(parseQuantity(limit)) <= 0) return [];
  const why = `must be less than or equal to ${name} limit of ${limit}`;
  return [FieldErrors.invalid(path, amount, why)];
}
