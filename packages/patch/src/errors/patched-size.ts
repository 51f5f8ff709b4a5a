import { type JsonValue, jsonSize, MAXIMUM_OBJECT_BYTES, type Steps } from '@ashlar/core';
import { PatchError } from './patch-error.ts';

/** Patches of so few bytes need no look at how large their result is. */
const SMALL_PATCH = 65_536;

/**
 * Rejects the result of a patch that is larger than objects may be.
 * @throws PatchError `too-large`
 */
export function* requireSize(
  result: JsonValue,
  patch: JsonValue,
  maximumBytes: number = MAXIMUM_OBJECT_BYTES,
): Steps<void> {
  if (jsonSize(patch, SMALL_PATCH) <= SMALL_PATCH && maximumBytes >= MAXIMUM_OBJECT_BYTES) return;
  yield;
  if (jsonSize(result, maximumBytes) > maximumBytes)
    throw new PatchError('too-large', `limit is ${maximumBytes}`);
}
