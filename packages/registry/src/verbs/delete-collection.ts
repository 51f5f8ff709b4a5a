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
import { selectsOneKey } from './selection.ts';

/** Concurrent deletions: enough for a store that commits in groups. */
const PARALLEL = 64;
/** How long deletions run before other requests are handled. */
const SLICE_MILLISECONDS = 10;

/**
 * Deletes the objects that a list request selects and returns them as they were listed (semantics/verbs#delete-collection). Not atomic: the first
 * error other than "not found" ends it; objects deleted before stay deleted.
 */
export async function deleteObjects(
  resource: StoredResource,
  context: RequestContext,
  list: ListRequest,
  request: DeleteRequest,
): Promise<ObjectList> {
  // listed before anything is deleted: many deletions may remove the listed revision from the history
  const listed = await listObjects(resource, context, asPage(resource, context, list));
  await deleteAll(resource, context, listed.items, request);
  return listed;
}

/** A version without a match is an exact one, as of a list with a limit: objects are listed in pages, whether or not one is asked for. */
function asPage(resource: StoredResource, context: RequestContext, list: ListRequest): ListRequest {
  if (list.limit || !list.resourceVersion || list.resourceVersionMatch) return list;
  return selectsOneKey(resource, context, list) ? list : { ...list, resourceVersionMatch: 'Exact' };
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
  const { metadata } = ObjectRecord.is(item) ? item.object : item;
  const own = { ...context, namespace: metadata.namespace ?? '' };
  try {
    await deleteObject(resource, own, metadata.name ?? '', request, true);
  } catch (error) {
    if (!StatusError.is(error, 'NotFound')) throw error;
  }
}
