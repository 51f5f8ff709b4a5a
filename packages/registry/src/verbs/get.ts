import { andThen, type MaybePromise, StatusError } from '@ashlar/core';
import type { GetRequest, RequestContext, ResultObject } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';

/** Reads one object (semantics/list-and-watch#get). */
export function getObject(
  resource: StoredResource,
  context: RequestContext,
  { name, resourceVersion }: GetRequest,
): MaybePromise<ResultObject> {
  const options = resourceVersion === undefined ? {} : { notOlderThan: resourceVersion };
  return andThen(resource.store.get(resource.key(context.namespace, name), options), (record) => {
    if (!record) throw StatusError.notFound(resource.groupResource, name);
    return resource.toResultWhenLoaded(record, context.version);
  });
}
