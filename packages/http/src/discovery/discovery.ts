import { type Ambient, apiVersionOf, groupName, pause, type Steps } from '@ashlar/core';
import { type ResourceDefinition, storageVersion } from '@ashlar/registry';
import type { ApiCatalog, ServedGroupVersion } from '../catalog/api-catalog.ts';
import type { ServedResource } from '../catalog/served-resource.ts';
import { storageVersionHash } from '../catalog/storage-version-hash.ts';
import { subresourceEntries } from '../catalog/subresource-entries.ts';
import type { DiscoveredGroups } from './discovered-groups.ts';
import type { ListedGroups } from './listed-groups.ts';

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
export function* apiGroupListSteps(groups: ListedGroups): Steps<object> {
  const entries = yield* eachSteps(groups.names(), (group) => groupEntry(groups, group));
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: entries };
}

const namedGroups = (groups: DiscoveredGroups): readonly string[] =>
  groups.names().filter((group) => group !== '');

/** Makes an entry of each item, with pauses. */
function* eachSteps<T>(items: Iterable<T>, entry: (item: T) => object): Steps<object[]> {
  const entries: object[] = [];
  for (const item of items) {
    entries.push(entry(item));
    yield;
  }
  return entries;
}

/** `/apis/<group>`; undefined for a group that is not served. */
export function apiGroup(groups: ListedGroups, group: string): object | undefined {
  if (groups.versions(group).length === 0) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(groups, group) };
}

function groupEntry(groups: ListedGroups, group: string): object {
  const versions = groups
    .versions(group)
    .map((version) => ({ groupVersion: apiVersionOf({ group, version }), version }));
  return { name: group, versions, preferredVersion: versions[0] };
}

/** `/api/v1`, `/apis/<group>/<version>`. @param hashes those of the storage versions of its resources */
export function* apiResourceListSteps(
  { group, version, resources }: ServedGroupVersion,
  hashes: StorageVersionHashes,
): Steps<object> {
  const sorted = [...resources.values()].sort(byPlural);
  const entries = yield* eachSteps(sorted, (served) => [
    resourceEntry(served, hashes),
    ...subresourceResources(served),
  ]);
  return {
    kind: 'APIResourceList',
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: entries.flat(),
  };
}

/** Hashes that are computed before others go first: each is begun on this thread, which takes as long as a small request. */
const HASHES_PER_TURN = 16;

/** Hashes of the storage versions of resource types, each computed once. */
export class StorageVersionHashes {
  readonly #hashes: WeakMap<ResourceDefinition, string> = new WeakMap();
  readonly #ambient: Pick<Ambient, 'turns'>;
  #prepared: Promise<void> = Promise.resolve();

  constructor(ambient: Pick<Ambient, 'turns'>) {
    this.#ambient = ambient;
  }

  /** Computes those that are missing, one at a time. Whoever asks meanwhile waits, and finds them computed. */
  prepare({ resources }: ServedGroupVersion): Promise<void> {
    this.#prepared = this.#prepared.catch(() => {}).then(() => this.#compute([...resources.values()]));
    return this.#prepared;
  }

  async #compute(resources: readonly ServedResource[]): Promise<void> {
    let computed = 0;
    for (const { definition } of resources) {
      const { names, group, hashedAs } = definition;
      if (this.of(definition) !== undefined) continue;
      const hashed = hashedAs ?? { group, version: storageVersion(definition).name };
      this.#hashes.set(definition, await storageVersionHash({ ...hashed, kind: names.kind }));
      if (++computed % HASHES_PER_TURN === 0) await pause(this.#ambient);
    }
  }

  of(definition: ResourceDefinition): string | undefined {
    return this.#hashes.get(definition);
  }
}

export const byPlural = (a: ServedResource, b: ServedResource): number =>
  a.definition.names.plural < b.definition.names.plural ? -1 : 1;

function resourceEntry(served: ServedResource, hashes: StorageVersionHashes): object {
  const { names, storage } = served.definition;
  return {
    name: names.plural,
    singularName: names.singular,
    namespaced: served.namespaced,
    kind: names.kind,
    verbs: served.advertisedVerbs,
    ...(names.shortNames && { shortNames: names.shortNames }),
    ...(names.categories && { categories: names.categories }),
    // what a host serves from its own data is not stored here
    ...(!storage && { storageVersionHash: hashes.of(served.definition) }),
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
export function* aggregatedDiscoverySteps(
  groups: DiscoveredGroups,
  root: 'api' | 'apis',
  version: string,
): Steps<object> {
  const items: object[] = [];
  for (const group of root === 'api' ? [''] : namedGroups(groups))
    items.push(yield* aggregatedGroupSteps(groups, group));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `${groupName(groups.vocabulary, 'apidiscovery.')}/${version}`,
    metadata: {},
    items,
  };
}

function* aggregatedGroupSteps(groups: DiscoveredGroups, group: string): Steps<object> {
  const versions: object[] = [];
  for (const { version, served, registered } of groups.versions(group)) {
    const resources = served
      ? yield* eachSteps([...served.resources.values()].sort(byPlural), aggregatedResource)
      : registered?.resources;
    const freshness = registered?.isCurrent === false ? 'Stale' : 'Current';
    versions.push({ version, ...(resources && resources.length > 0 && { resources }), freshness });
    yield;
  }
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
