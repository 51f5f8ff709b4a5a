import {
  type Ambient,
  type ApiObject,
  andThen,
  type JsonValue,
  jsonSize,
  jsonSizeSteps,
  MAXIMUM_OBJECT_BYTES,
  type MaybePromise,
  ObjectTooLargeError,
  pause,
  runInSlices,
} from '@ashlar/core';
import type { ObjectRecord } from '@ashlar/storage';
import type { ResourceDefinition } from '../definition/resource-definition.ts';
import type { RequestContext } from '../definition/resource-storage.ts';
import { objectTooLarge } from './decode-errors.ts';

/** From this size on an object is large: between the steps of writing it other requests are handled. */
export const LARGE_OBJECT_BYTES: number = 32_768;

/** Returns whether a stored object is large. */
export const isLargeRecord = ({ stored }: ObjectRecord): boolean => stored.length > LARGE_OBJECT_BYTES;

/** Whether an object is small because what it was made of is: defaults of users' kinds may make much of little. */
export function isKnownSmall(
  { dialect }: ResourceDefinition,
  { isLarge }: RequestContext,
  stored?: ObjectRecord,
): boolean {
  return !isLarge && dialect === 'built-in' && !(stored && isLargeRecord(stored));
}

/** Decodes a stored object with pauses if it is large, so that reading it later costs nothing; else returns undefined. */
export function loadIfLarge(ambient: Ambient, record: ObjectRecord): MaybePromise<void> {
  if (!isLargeRecord(record)) return undefined;
  const loaded = runInSlices(record.loadSteps(), ambient);
  return loaded instanceof Promise ? loaded.then(() => pause(ambient)) : pause(ambient);
}

/**
 * Checks that defaults and admission have not made a large object larger than a body may be: each of its small items may get several
 * times as much.
 * @throws StatusError 413
 */
export function requireBounded(
  ambient: Ambient,
  { isLarge }: RequestContext,
  object: ApiObject,
): MaybePromise<void> {
  if (!isLarge) return undefined;
  const counting = jsonSizeSteps(object as unknown as JsonValue, MAXIMUM_OBJECT_BYTES);
  return andThen(runInSlices(counting, ambient), (size) => {
    if (size > MAXIMUM_OBJECT_BYTES) throw objectTooLarge(new ObjectTooLargeError());
  });
}

/** Returns the context of the rest of a write: admission may have made a large object of a small one. */
export function afterAdmission(
  context: RequestContext,
  submitted: ApiObject,
  admitted: ApiObject,
): RequestContext {
  if (context.isLarge || admitted === submitted) return context;
  const size = jsonSize(admitted as unknown as JsonValue, LARGE_OBJECT_BYTES);
  return size > LARGE_OBJECT_BYTES ? { ...context, isLarge: true } : context;
}

/**
 * Pauses before the next step of a write if the submitted or the stored object is large; else returns undefined.
 */
export function pauseIfLarge(
  ambient: Ambient,
  { isLarge }: RequestContext,
  stored?: ObjectRecord,
): Promise<void> | undefined {
  return isLarge || (stored && isLargeRecord(stored)) ? pause(ambient) : undefined;
}
