import { StatusError } from '@ashlar/core';
import type { GetRequest, RequestContext, ResultObject } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';

/** Reads one object (semantics/list-and-watch#get). */
export async function getObject(
  resource: StoredResource,
  context: RequestContext,
  { name, resourceVersion }: GetRequest,
): Promise<ResultObject> {
  const options = resourceVersion === undefined ? {} : { notOlderThan: resourceVersion };
  const record = await resource.store.get(resource.key(context.namespace, name), options);
  if (!record) throw StatusError.notFound(resource.groupResource, name);
  return resource.toResultWhenLoaded(record, context.version);
}
