import { type ApiObject, parseTime, timestampText } from '@ashlar/core';
import type { StoredResource } from '../definition/stored-resource.ts';
import { withCanonicalMetadata } from '../objects/canonical-object.ts';
import { generationAtDeletion } from '../objects/generation.ts';

const MILLISECONDS = 1000;

/**
 * Returns an object marked for deletion after a grace period; undefined if it is already marked for the same or an earlier time
 * (semantics/verbs#delete).
 */
export function markedForDeletion(
  resource: StoredResource,
  stored: ApiObject,
  requested: number | undefined,
): ApiObject | undefined {
  const { graceSeconds } = resource.definition.strategy;
  if (!graceSeconds) throw new TypeError(`${resource.definition.names.kind} gives no time`);
  const gracePeriod = requested !== undefined && requested < 0 ? 1 : requested;
  if (stored.metadata.deletionTimestamp !== undefined) return sooner(stored, gracePeriod);
  const seconds = graceSeconds(stored, gracePeriod);
  return withCanonicalMetadata(stored, {
    deletionTimestamp: timestampText(resource.ambient.clock.now() + seconds * MILLISECONDS),
    deletionGracePeriodSeconds: seconds,
    generation: generationAtDeletion(stored),
  });
}

/** Shortens a pending deletion, which cannot be extended. */
function sooner(stored: ApiObject, gracePeriod: number | undefined): ApiObject | undefined {
  const { deletionTimestamp = '', deletionGracePeriodSeconds: granted = 0 } = stored.metadata;
  if (gracePeriod === undefined || gracePeriod >= granted) return undefined;
  const end = parseTime(deletionTimestamp).seconds * MILLISECONDS;
  return withCanonicalMetadata(stored, {
    deletionTimestamp: timestampText(end - (granted - gracePeriod) * MILLISECONDS),
    deletionGracePeriodSeconds: gracePeriod,
  });
}

/** Whether the grace period of a marked object is over, so that it can be removed. */
export const graceIsOver = ({ metadata }: ApiObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) === 0;
