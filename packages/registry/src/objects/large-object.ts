import { type Ambient, pause } from '@ashlar/core';
import type { ObjectRecord } from '@ashlar/storage';
import type { RequestContext } from '../definition/resource-storage.ts';

/** From this many bytes on an object is large: others have their turn between the steps of a write of it. */
export const LARGE_OBJECT_BYTES: number = 32_768;

/**
 * What to wait for before the next step of a write: a later turn where what was submitted or what is stored is large, else nothing.
 */
export function pauseIfLarge(
  ambient: Ambient,
  { isLarge }: RequestContext,
  stored?: ObjectRecord,
): Promise<void> | undefined {
  return isLarge || (stored && stored.stored.length > LARGE_OBJECT_BYTES) ? pause(ambient) : undefined;
}
