import type { FieldError } from '@ashlar/core';
import { type InheritedFault, inheritedError } from './inherited-faults.ts';

const VALUE: RegExp = /\.matchExpressions\[\d+\]\.values\[\d+\]$/;

/**
 * Values of label selectors that are no values of labels: former releases accepted them.
 * @param isWithin whether the field of an error is in one of the selectors
 * @param isSign whether it is in one that shows the fault, by any error; default: in any of them
 */
export function malformedSelectorValues(
  isWithin: (field: string) => boolean,
  isSign: (field: string) => boolean = isWithin,
): InheritedFault {
  return inheritedError(
    ({ field }: FieldError) => isValueOfSelector(field) && isWithin(field),
    ({ field }: FieldError) => isSign(field),
  );
}

/** Whether a field is a value of a requirement of a selector. */
export const isValueOfSelector = (field: string): boolean => VALUE.test(field);

/** Whether a field is in a part of an object. */
export const isIn =
  (part: string) =>
  (field: string): boolean =>
    field.startsWith(`${part}.`) || field.startsWith(`${part}[`);
