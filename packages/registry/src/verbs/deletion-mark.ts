import { type ApiObject, parseTime, timestampText } from '@ashlar/core';
import type { StoredResource } from '../definition/stored-resource.ts';
import { withCanonicalMetadata } from '../objects/canonical-object.ts';

const MILLISECONDS = 1000;

/**
 * The object as one that is to go after some seconds; undefined where nothing changes, because it is to go as soon already
 * (semantics/verbs#delete).
 */
export function markedForDeletion(
  resource: StoredResource,
  stored: ApiObject,
  requested: number | undefined,
): ApiObject | undefined {
  const { graceSeconds } = resource.definition.strategy;
  if (!graceSeconds) throw new TypeError(`${resource.definition.names.kind} gives no time`);
  const wanted = requested !== undefined && requested < 0 ? 1 : requested;
  if (stored.metadata.deletionTimestamp !== undefined) return sooner(stored, wanted);
  const seconds = graceSeconds(stored, wanted);
  const { generation } = stored.metadata;
  return withCanonicalMetadata(stored, {
    deletionTimestamp: timestampText(resource.ambient.clock.now() + seconds * MILLISECONDS),
    deletionGracePeriodSeconds: seconds,
    generation: generation && generation + 1,
  });
}

/** A deletion that is under way can only be hastened. */
function sooner(stored: ApiObject, wanted: number | undefined): ApiObject | undefined {
  const { deletionTimestamp = '', deletionGracePeriodSeconds: granted = 0 } = stored.metadata;
  if (wanted === undefined || wanted >= granted) return undefined;
  const end = parseTime(deletionTimestamp).seconds * MILLISECONDS;
  return withCanonicalMetadata(stored, {
    deletionTimestamp: timestampText(end - (granted - wanted) * MILLISECONDS),
    deletionGracePeriodSeconds: wanted,
  });
}

/** Whether a marked object's time is over, so that it goes where nothing holds it. */
export const graceIsOver = ({ metadata }: ApiObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) === 0;
