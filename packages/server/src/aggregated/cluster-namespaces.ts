import type { Client } from '@ashlar/client';
import { type ApiObject, type Clock, undefinedIfNotFound } from '@ashlar/core';

/** How long a namespace is cache, in milliseconds: as long as a watch would be late. */
const CACHE_MILLISECONDS = 1_000;
const MAXIMUM_CACHED = 1_000;

/** Returns a lookup of the namespaces of a cluster. Each is requested at most once a second, unless its latest state is required. */
export function clusterNamespaces(
  client: Client,
  clock: Pick<Clock, 'monotonic'>,
): (name: string, options: { readonly allowCached: boolean }) => Promise<ApiObject | undefined> {
  const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' });
  const cache = new Map<string, { readonly until: number; readonly found: Promise<ApiObject | undefined> }>();
  return (name, { allowCached }) => {
    const now = clock.monotonic();
    const entry = cache.get(name);
    if (allowCached && entry && entry.until > now) return entry.found;
    const found = namespaces.get(name).catch(undefinedIfNotFound);
    if (cache.size >= MAXIMUM_CACHED) cache.clear();
    cache.set(name, { until: now + CACHE_MILLISECONDS, found });
    found.catch(() => cache.delete(name));
    return found;
  };
}
