import { StatusError, type Steps } from '@ashlar/core';
import type { VersionedObject } from '../merge/kind-versions.ts';
import {
  TooManyItemsError,
  type TypedValidationOptions,
  validateTypedSteps,
} from '../typed/validate-typed.ts';

/**
 * Maximum total number of items of the sets and list maps of an object (semantics/apply#types, choice). Their
 * ownership is stored as an object with a member for each, and documents have no larger objects.
 */
export const MAXIMUM_ITEMS = 25_000;

/** Returns the errors of an object's type. @throws StatusError 413 */
export function* checkTypedSteps(
  { object, type }: VersionedObject,
  options: TypedValidationOptions,
): Steps<readonly string[]> {
  try {
    return yield* validateTypedSteps(object, type, options);
  } catch (error) {
    if (error instanceof TooManyItemsError) throw StatusError.requestEntityTooLarge(error.message);
    throw error;
  }
}

/** Whether an object has too many items, which no write may ignore. */
export const isTooLarge = (error: unknown): boolean => StatusError.is(error) && error.code === 413;
