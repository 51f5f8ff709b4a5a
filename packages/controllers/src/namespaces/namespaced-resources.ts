import type { Client, ResourceReference } from '@ashlar/client';
import { undefinedIfNotFound } from '@ashlar/core';

interface GroupList {
  readonly groups: readonly { readonly preferredVersion?: { readonly groupVersion: string } }[];
}
interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly {
    readonly name: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

/**
 * Returns the namespaced resource types that can be listed and deleted, each in the preferred version of its
 * group. Groups that are removed meanwhile are left out.
 */
export async function discoverNamespacedResources(
  client: Client,
  signal?: AbortSignal,
): Promise<readonly ResourceReference[]> {
  const get = (path: string): Promise<unknown> => client.request({ method: 'GET', path, signal });
  const { groups } = (await get('/apis')) as GroupList;
  const preferred = groups.flatMap(({ preferredVersion }) => preferredVersion?.groupVersion ?? []);
  const paths = ['/api/v1', ...preferred.map((groupVersion) => `/apis/${groupVersion}`)];
  const found: ResourceReference[] = [];
  // sequential, to limit the load: a server has many groups
  for (const path of paths) {
    const list = (await get(path).catch(undefinedIfNotFound)) as ResourceList | undefined;
    if (list) found.push(...deletable(list));
  }
  return found;
}

function deletable({ groupVersion, resources }: ResourceList): ResourceReference[] {
  const slash = groupVersion.indexOf('/');
  const group = slash < 0 ? '' : groupVersion.slice(0, slash);
  const version = groupVersion.slice(slash + 1);
  const fits = resources.filter(({ name, namespaced, verbs }) => {
    return namespaced && !name.includes('/') && verbs.includes('list') && verbs.includes('delete');
  });
  return fits.map(({ name }) => ({ group, version, resource: name }));
}
