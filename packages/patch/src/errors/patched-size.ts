import { type JsonValue, jsonSize, jsonSizeSteps, MAXIMUM_OBJECT_BYTES, type Steps } from '@ashlar/core';
import { PatchError } from './patch-error.ts';

/** Smaller patches skip the check of their result's size. */
const SMALL_PATCH = 65_536;

/**
 * Rejects a result that exceeds the maximum object size.
 * @throws PatchError `too-large`
 */
export function* requireSize(
  result: JsonValue,
  patch: JsonValue,
  maximumBytes: number = MAXIMUM_OBJECT_BYTES,
): Steps<void> {
  if (jsonSize(patch, SMALL_PATCH) <= SMALL_PATCH && maximumBytes >= MAXIMUM_OBJECT_BYTES) return;
  yield;
  if ((yield* jsonSizeSteps(result, maximumBytes)) > maximumBytes)
    throw new PatchError('too-large', `limit is ${maximumBytes}`);
}
