import { type ApiObject, StatusError } from '@ashlar/core';
import type { RequestContext } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';

/** Changes a stored object for an action on it; a dry run only returns the result. */
export async function changeObject(
  resource: StoredResource,
  context: RequestContext,
  name: string,
  change: (stored: ApiObject) => ApiObject,
): Promise<ApiObject> {
  const key = resource.key(context.namespace, name);
  const missing = (): StatusError => StatusError.notFound(resource.groupResource, name);
  if (context.dryRun) {
    const current = await resource.store.get(key);
    if (!current) throw missing();
    return change(current.object);
  }
  const { record } = await resource.store.update(key, (current) => {
    if (!current) throw missing();
    return { action: 'write', object: change(current.object) };
  });
  if (!record) throw missing();
  return record.object;
}
