import type { ResourceClient, WorkResult } from '@ashlar/client';
import type { ApiObject, Clock } from '@ashlar/core';

/** The resource of expiring objects, and the clock. */
export interface DeletionOptions<T extends ApiObject> {
  readonly resource: Pick<ResourceClient<T>, 'delete'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Deletes an expired object, if it is unchanged: one whose expiry was extended meanwhile stays.
 * @param end milliseconds since 1970; infinite if it never expires
 * @returns when to check again, if it has not expired
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
