import { StatusError } from '@ashlar/core';
import { ObjectRecord } from '@ashlar/storage';
import { deleteObject } from './delete.ts';
import { listObjects } from './list.ts';
import type { Answer, DeleteRequest, ListAnswer, ListRequest, RequestContext } from './resource-storage.ts';
import type { StoredResource } from './stored-resource.ts';

/** Deletions under way at once: enough for a store that commits in groups. */
const PARALLEL = 64;
const PAGE = 10_000;

/**
 * Deletes what a list request selects and answers the items as they were listed (semantics C7). Not atomic: the first
 * error that is not "not found" ends it, what was deleted before stays deleted.
 */
export async function deleteObjects(
  resource: StoredResource,
  context: RequestContext,
  list: ListRequest,
  request: DeleteRequest,
): Promise<ListAnswer> {
  const first = await listObjects(resource, context, list.limit ? list : { ...list, limit: PAGE });
  const items = [...first.items];
  await deleteAll(resource, context, first.items, request);
  if (list.limit) return { ...first, items };
  for (let next = first.continue; next; ) {
    const page = await listObjects(resource, context, {
      labels: list.labels,
      fields: list.fields,
      limit: PAGE,
      continue: next,
    });
    await deleteAll(resource, context, page.items, request);
    items.push(...page.items);
    next = page.continue;
  }
  return { items, resourceVersion: first.resourceVersion };
}

async function deleteAll(
  resource: StoredResource,
  context: RequestContext,
  items: readonly Answer[],
  request: DeleteRequest,
): Promise<void> {
  for (let i = 0; i < items.length; i += PARALLEL) {
    await Promise.all(
      items.slice(i, i + PARALLEL).map((item) => deleteListed(resource, context, item, request)),
    );
  }
}

async function deleteListed(
  resource: StoredResource,
  context: RequestContext,
  item: Answer,
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
