import { StatusError, type Steps } from '@ashlar/core';
import type { VersionedObject } from '../merge/kind-versions.ts';
import {
  TooManyItemsError,
  type TypedValidationOptions,
  typedErrorText,
  validateTypedSteps,
} from '../typed/validate-typed.ts';
import { describeObject } from './object-kind.ts';

/**
 * Maximum total number of items of the sets and list maps of an object (semantics/apply#types, choice). Their
 * ownership is stored as an object with a member for each, and documents have no larger objects.
 */
export const MAXIMUM_ITEMS = 25_000;

/** Returns the errors of an object's type. @throws StatusError 413 */
function* checkTypedSteps(
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

/**
 * Returns an object that is valid for its type, which may have repeated items.
 * @param failure prefix of the error, with `%s` for the object
 * @param maximumItems unlimited for stored objects
 * @throws StatusError 413, 500
 */
export function* requireTypedSteps(
  versioned: VersionedObject,
  failure: string,
  maximumItems?: number,
): Steps<VersionedObject> {
  const errors = yield* checkTypedSteps(versioned, { allowDuplicates: true, maximumItems });
  if (errors.length === 0) return versioned;
  const message = `${failure.replace('%s', () => describeObject(versioned.object))}: ${typedErrorText(errors)}`;
  throw new StatusError({ code: 500, reason: '', message });
}

/** Errors of a configuration are the client's; those of the stored object are not (semantics/apply#apply-algorithm, choice). @throws StatusError 400, 413 */
export function* requireConfigurationSteps(configuration: VersionedObject): Steps<void> {
  const errors = yield* checkTypedSteps(configuration, {
    allowDuplicates: false,
    maximumItems: MAXIMUM_ITEMS,
  });
  if (errors.length === 0) return;
  const of = describeObject(configuration.object);
  throw StatusError.badRequest(`failed to create typed patch object (${of}): ${typedErrorText(errors)}`);
}

/** A merge may have more items than each of its parts. @throws StatusError 413 */
export function* requireFewItemsSteps(merged: VersionedObject): Steps<void> {
  yield* checkTypedSteps(merged, { allowDuplicates: true, maximumItems: MAXIMUM_ITEMS });
}
