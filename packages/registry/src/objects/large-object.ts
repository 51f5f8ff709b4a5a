import { type Ambient, pause } from '@ashlar/core';
import type { ObjectRecord } from '@ashlar/storage';
import type { RequestContext } from '../definition/resource-storage.ts';

/** From this size on an object is large: between the steps of writing it other requests are handled. */
export const LARGE_OBJECT_BYTES: number = 32_768;

/**
 * Pauses before the next step of a write if the submitted or the stored object is large; else returns undefined.
 */
export function pauseIfLarge(
  ambient: Ambient,
  { isLarge }: RequestContext,
  stored?: ObjectRecord,
): Promise<void> | undefined {
  return isLarge || (stored && stored.stored.length > LARGE_OBJECT_BYTES) ? pause(ambient) : undefined;
}
