import { apiVersionOf, groupName } from '@ashlar/core';
import { storageVersion } from '@ashlar/registry';
import type { ApiCatalog, ServedGroupVersion } from '../catalog/api-catalog.ts';
import type { ServedResource } from '../catalog/served-resource.ts';
import { storageVersionHash } from '../catalog/storage-version-hash.ts';
import { subresourceEntries } from '../catalog/subresource-entries.ts';
import type { DiscoveredGroups } from './discovered-groups.ts';

/** `/api` (semantics/discovery#discovery). */
export function apiVersions(catalog: ApiCatalog, serverAddress: string): object {
  const versions = catalog.versions('').map(({ version }) => version);
  return {
    kind: 'APIVersions',
    versions,
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `/apis`. */
export function apiGroupList(groups: DiscoveredGroups): object {
  const names = groups.names().filter((group) => group !== '');
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: names.map((group) => groupEntry(groups, group)),
  };
}

/** `/apis/<group>`; undefined for a group that is not served. */
export function apiGroup(groups: DiscoveredGroups, group: string): object | undefined {
  if (groups.versions(group).length === 0) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(groups, group) };
}

function groupEntry(groups: DiscoveredGroups, group: string): object {
  const versions = groups
    .versions(group)
    .map(({ version }) => ({ groupVersion: apiVersionOf({ group, version }), version }));
  return { name: group, versions, preferredVersion: versions[0] };
}

/** `/api/v1`, `/apis/<group>/<version>`; undefined for a version that is not served. */
export async function apiResourceList(
  catalog: ApiCatalog,
  group: string,
  version: string,
): Promise<object | undefined> {
  const served = catalog.versions(group).find((candidate) => candidate.version === version);
  if (!served) return undefined;
  return {
    kind: 'APIResourceList',
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: await resourcesOf(served),
  };
}

async function resourcesOf({ resources }: ServedGroupVersion): Promise<object[]> {
  const sorted = [...resources.values()].sort(byPlural);
  const entries = await Promise.all(
    sorted.map(async (served) => [await resourceEntry(served), ...subresourceResources(served)]),
  );
  return entries.flat();
}

export const byPlural = (a: ServedResource, b: ServedResource): number =>
  a.definition.names.plural < b.definition.names.plural ? -1 : 1;

async function resourceEntry(served: ServedResource): Promise<object> {
  const { names, group, hashedAs, storage } = served.definition;
  const hashed = hashedAs ?? { group, version: storageVersion(served.definition).name };
  return {
    name: names.plural,
    singularName: names.singular,
    namespaced: served.namespaced,
    kind: names.kind,
    verbs: served.advertisedVerbs,
    ...(names.shortNames && { shortNames: names.shortNames }),
    ...(names.categories && { categories: names.categories }),
    // what a host serves from its own data is not stored here
    ...(!storage && {
      storageVersionHash: await storageVersionHash({ ...hashed, kind: names.kind }),
    }),
  };
}

function subresourceResources(served: ServedResource): object[] {
  const { names, group } = served.definition;
  return subresourceEntries(served).map(({ name, verbs, kind }) => ({
    name: `${names.plural}/${name}`,
    singularName: '',
    namespaced: served.namespaced,
    ...((kind.group !== group || kind.version !== served.version.name) && {
      group: kind.group,
      version: kind.version,
    }),
    kind: kind.kind,
    verbs,
  }));
}

/** The aggregated form of `/api` and `/apis` (semantics/discovery#aggregated-discovery). */
export function aggregatedDiscovery(groups: DiscoveredGroups, root: 'api' | 'apis', version: string): object {
  const names = root === 'api' ? [''] : groups.names().filter((group) => group !== '');
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `${groupName(groups.vocabulary, 'apidiscovery.')}/${version}`,
    metadata: {},
    items: names.map((group) => aggregatedGroup(groups, group)),
  };
}

function aggregatedGroup(groups: DiscoveredGroups, group: string): object {
  const versions = groups.versions(group).map(({ version, served, registered }) => ({
    version,
    ...(served
      ? { resources: [...served.resources.values()].sort(byPlural).map(aggregatedResource) }
      : registered?.resources && { resources: registered.resources }),
    freshness: registered?.isCurrent === false ? 'Stale' : 'Current',
  }));
  return { metadata: { ...(group !== '' && { name: group }), creationTimestamp: null }, versions };
}

function aggregatedResource(served: ServedResource): object {
  const { names, group } = served.definition;
  const responseKind = { group, version: served.version.name, kind: names.kind };
  const subresources = subresourceEntries(served).map(({ name, verbs, kind }) => ({
    subresource: name,
    responseKind: kind,
    verbs,
  }));
  return {
    resource: names.plural,
    responseKind,
    scope: served.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: names.singular,
    verbs: served.advertisedVerbs,
    ...(names.shortNames && { shortNames: names.shortNames }),
    ...(names.categories && { categories: names.categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}
