import { errorMessage, everyField, everyLabel, joinedTexts } from '@ashlar/core';
import { objectOf, type RequestContext, type ResourceStorage } from '@ashlar/registry';

/** All objects of a type. */
const ALL = { labels: everyLabel, fields: everyField };

/** Deletes the objects of a type; returns how many remain, since they have finalizers. @throws Error that says what failed */
export async function deleteInstances(instances: ResourceStorage, context: RequestContext): Promise<number> {
  const namespaces = await listing(async () => {
    const list = await instances.list?.(context, ALL);
    return new Set((list?.items ?? []).map((item) => objectOf(item).metadata.namespace ?? ''));
  });
  const failures: string[] = [];
  for (const namespace of namespaces) {
    try {
      await instances.deleteCollection?.({ ...context, namespace }, ALL, {});
    } catch (error) {
      failures.push(errorMessage(error));
    }
  }
  if (failures.length > 0) throw new Error(`could not issue all deletes: ${joinedTexts(failures)}`);
  if (namespaces.size === 0) return 0;
  return listing(async () => (await instances.list?.(context, ALL))?.items.length ?? 0);
}

async function listing<T>(list: () => Promise<T>): Promise<T> {
  try {
    return await list();
  } catch (error) {
    throw new Error(`could not list instances: ${errorMessage(error)}`, { cause: error });
  }
}
