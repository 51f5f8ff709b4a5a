import type { Client } from '@ashlar/client';
import { type ApiObject, type Clock, undefinedIfNotFound } from '@ashlar/core';

/** How long a namespace is known, in milliseconds: as long as a watch would be late. */
const KNOWN_MILLISECONDS = 1_000;
const MAXIMUM_KNOWN = 1_000;

/** Returns how namespaces of a cluster are looked up: each is asked for once a second at most, unless its state must be the last. */
export function clusterNamespaces(
  client: Client,
  clock: Pick<Clock, 'monotonic'>,
): (name: string, options: { readonly allowCached: boolean }) => Promise<ApiObject | undefined> {
  const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' });
  const known = new Map<string, { readonly until: number; readonly found: Promise<ApiObject | undefined> }>();
  return (name, { allowCached }) => {
    const now = clock.monotonic();
    const entry = known.get(name);
    if (allowCached && entry && entry.until > now) return entry.found;
    const found = namespaces.get(name).catch(undefinedIfNotFound);
    if (known.size >= MAXIMUM_KNOWN) known.clear();
    known.set(name, { until: now + KNOWN_MILLISECONDS, found });
    found.catch(() => known.delete(name));
    return found;
  };
}
