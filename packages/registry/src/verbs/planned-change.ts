import type { ApiObject } from '@ashlar/core';
import type { Change } from '@ashlar/storage';
import { withCanonicalMetadata } from '../objects/canonical-object.ts';

/** What an update does to what is stored. */
export interface PlannedChange {
  readonly change: Change;
  /** The result in the version of the request. */
  readonly object: ApiObject;
}

/** Returns the submitted object with the resource version of the stored one: the result of dry runs and of updates that remove. */
export function submittedObject(
  planned: PlannedChange | undefined,
  resourceVersion: string | undefined,
): ApiObject {
  if (!planned) throw new TypeError('a change was answered before it was made');
  return withCanonicalMetadata(planned.object, { resourceVersion });
}
