import { type ApiObject, andThen, type MaybePromise, StatusError } from '@ashlar/core';
import { storageVersion } from '../definition/resource-definition.ts';
import type { RequestContext } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';

/** Changes a stored object for an action on it, with its members in the order of its type; a dry run only returns the result. */
export async function changeObject(
  resource: StoredResource,
  context: RequestContext,
  name: string,
  change: (stored: ApiObject) => ApiObject,
): Promise<ApiObject> {
  const key = resource.key(context.namespace, name);
  const { name: version } = storageVersion(resource.definition);
  const changed = (stored: ApiObject): MaybePromise<ApiObject> => resource.settle(change(stored), version);
  const missing = (): StatusError => StatusError.notFound(resource.groupResource, name);
  if (context.dryRun) {
    const current = await resource.store.get(key);
    if (!current) throw missing();
    return changed(current.object);
  }
  const { record } = await resource.store.update(key, (current) => {
    if (!current) throw missing();
    return andThen(changed(current.object), (object) => ({ action: 'write' as const, object }));
  });
  if (!record) throw missing();
  return record.object;
}
