import type { Client } from '@ashlar/client';
import { apiVersionOf } from '@ashlar/core';

/** A resource whose objects can be listed. */
export interface ListedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A version of a group that could not be discovered. */
export interface UndiscoveredVersion {
  readonly apiVersion: string;
  readonly error: unknown;
}

interface Discovered {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/**
 * Returns every resource of a server that can be listed, each once: in the preferred version of its group, or in the first that has it.
 * @param failed told about versions that could not be read, as those of other servers that are down
 */
export async function listedResources(
  client: Client,
  failed: (version: UndiscoveredVersion) => void,
): Promise<readonly ListedResource[]> {
  const found = new Map<string, ListedResource>();
  for (const [group, version] of await groupVersions(client)) {
    const apiVersion = apiVersionOf({ group, version });
    let discovered: readonly Discovered[];
    try {
      const path = group === '' ? `/api/${version}` : `/apis/${apiVersion}`;
      ({ resources: discovered } = (await client.request({ method: 'GET', path })) as {
        resources: readonly Discovered[];
      });
    } catch (error) {
      failed({ apiVersion, error });
      continue;
    }
    for (const { name, kind, verbs } of discovered) {
      const key = `${name}.${group}`;
      if (name.includes('/') || !verbs.includes('list') || found.has(key)) continue;
      found.set(key, { group, version, resource: name, kind, verbs });
    }
  }
  return [...found.values()];
}

/** Groups with their versions; preferred versions first. */
async function groupVersions(client: Client): Promise<readonly (readonly [string, string])[]> {
  const { groups } = (await client.request({ method: 'GET', path: '/apis' })) as {
    groups: readonly {
      readonly name: string;
      readonly versions: readonly { readonly version: string }[];
      readonly preferredVersion?: { readonly version: string };
    }[];
  };
  const named = groups.flatMap(({ name, versions, preferredVersion }) => {
    const all = versions.map(({ version }) => version);
    const first = preferredVersion?.version;
    return [...new Set(first === undefined ? all : [first, ...all])].map(
      (version) => [name, version] as const,
    );
  });
  return [['', 'v1'], ...named];
}
