import { pause, StatusError } from '@ashlar/core';
import { ObjectRecord } from '@ashlar/storage';
import type {
  DeleteRequest,
  ListRequest,
  ObjectList,
  RequestContext,
  ResultObject,
} from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { deleteObject } from './delete.ts';
import { listObjects } from './list.ts';

/** Deletions under way at once: enough for a store that commits in groups. */
const PARALLEL = 64;
/** How long deleting may go on before everything else has its turn. */
const SLICE_MILLISECONDS = 10;

/**
 * Deletes what a list request selects and answers the items as they were listed (semantics/verbs#delete-collection). Not atomic: the first
 * error that is not "not found" ends it, what was deleted before stays deleted.
 */
export async function deleteObjects(
  resource: StoredResource,
  context: RequestContext,
  list: ListRequest,
  request: DeleteRequest,
): Promise<ObjectList> {
  // listed before anything is deleted: so many deletions may take the revision that is listed out of the history
  const listed = await listObjects(resource, context, list);
  await deleteAll(resource, context, listed.items, request);
  return listed;
}

async function deleteAll(
  resource: StoredResource,
  context: RequestContext,
  items: readonly ResultObject[],
  request: DeleteRequest,
): Promise<void> {
  const { ambient } = resource;
  let since = ambient.clock.monotonic();
  for (let i = 0; i < items.length; i += PARALLEL) {
    await Promise.all(
      items.slice(i, i + PARALLEL).map((item) => deleteListed(resource, context, item, request)),
    );
    if (ambient.clock.monotonic() - since < SLICE_MILLISECONDS) continue;
    await pause(ambient);
    since = ambient.clock.monotonic();
  }
}

async function deleteListed(
  resource: StoredResource,
  context: RequestContext,
  item: ResultObject,
  request: DeleteRequest,
): Promise<void> {
  const { metadata } = item instanceof ObjectRecord ? item.object : item;
  const own = { ...context, namespace: metadata.namespace ?? '' };
  try {
    await deleteObject(resource, own, metadata.name ?? '', request);
  } catch (error) {
    if (!StatusError.is(error, 'NotFound')) throw error;
  }
}
