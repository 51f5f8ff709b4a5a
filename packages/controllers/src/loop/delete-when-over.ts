import type { ResourceClient, WorkResult } from '@ashlar/client';
import type { ApiObject, Clock } from '@ashlar/core';

/** Where objects are deleted, and whose time it is. */
export interface DeletionOptions<T extends ApiObject> {
  readonly resource: Pick<ResourceClient<T>, 'delete'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Deletes an object whose time is over, as it was seen: one that was given more time meanwhile stays.
 * @param end milliseconds since 1970; infinite for what stays
 * @returns when to look again, where the time is still to come
 */
export async function deleteWhenOver<T extends ApiObject>(
  { metadata: { name = '', uid, resourceVersion } }: T,
  end: number,
  { resource, clock }: DeletionOptions<T>,
): Promise<WorkResult | undefined> {
  if (end === Number.POSITIVE_INFINITY) return undefined;
  const rest = end - clock.now();
  if (rest > 0) return { againAfterMilliseconds: rest };
  await resource.delete(name, {
    preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
  });
  return undefined;
}
