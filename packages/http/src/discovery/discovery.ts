import { apiVersionOf, groupName } from '@ashlar/core';
import { storageVersion } from '@ashlar/registry';
import type { ApiCatalog, ServedGroupVersion } from '../catalog/api-catalog.ts';
import type { ServedResource } from '../catalog/served-resource.ts';
import { storageVersionHash } from '../catalog/storage-version-hash.ts';
import { subresourceEntries } from '../catalog/subresource-entries.ts';

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
export function apiGroupList(catalog: ApiCatalog): object {
  const groups = catalog.groups().filter((group) => group !== '');
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.map((group) => groupEntry(catalog, group)),
  };
}

/** `/apis/<group>`; undefined for a group that is not served. */
export function apiGroup(catalog: ApiCatalog, group: string): object | undefined {
  if (catalog.versions(group).length === 0) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(catalog, group) };
}

function groupEntry(catalog: ApiCatalog, group: string): object {
  const versions = catalog
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
  const { names, group, hashedAs } = served.definition;
  const hashed = hashedAs ?? { group, version: storageVersion(served.definition).name };
  return {
    name: names.plural,
    singularName: names.singular,
    namespaced: served.namespaced,
    kind: names.kind,
    verbs: served.advertisedVerbs,
    ...(names.shortNames && { shortNames: names.shortNames }),
    ...(names.categories && { categories: names.categories }),
    ...(served.verbs.includes('get') && {
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
export function aggregatedDiscovery(catalog: ApiCatalog, root: 'api' | 'apis', version: string): object {
  const groups = root === 'api' ? [''] : catalog.groups().filter((group) => group !== '');
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `${groupName(catalog.vocabulary, 'apidiscovery.')}/${version}`,
    metadata: {},
    items: groups.map((group) => aggregatedGroup(catalog, group)),
  };
}

function aggregatedGroup(catalog: ApiCatalog, group: string): object {
  const versions = catalog.versions(group).map(({ version, resources }) => ({
    version,
    resources: [...resources.values()].sort(byPlural).map(aggregatedResource),
    freshness: 'Current',
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
