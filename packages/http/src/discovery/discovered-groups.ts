import { compareApiVersions, type Vocabulary } from '@ashlar/core';
import type { AggregatedApis, RegisteredVersion } from '../aggregated/aggregated-apis.ts';
import type { ApiCatalog, ServedGroupVersion } from '../catalog/api-catalog.ts';
import { compareGroups, groupPriorities } from '../catalog/group-order.ts';
import { PerGeneration } from '../catalog/per-generation.ts';
import { rankOfOwn } from './rank-of-own.ts';

/** A version of a group: served by this server or by another one. */
export type DiscoveredVersion =
  | { readonly version: string; readonly served: ServedGroupVersion; readonly registered?: never }
  | { readonly version: string; readonly registered: RegisteredVersion; readonly served?: never };

/** The groups and versions of a server and of those behind it, in the order of aggregated discovery. */
export class DiscoveredGroups {
  readonly #catalog: ApiCatalog;
  readonly #apis: AggregatedApis | undefined;
  /** The versions of other servers by group. */
  readonly #registered: PerGeneration<ReadonlyMap<string, readonly RegisteredVersion[]>>;
  readonly #names: PerGeneration<readonly string[]>;

  constructor(catalog: ApiCatalog, apis: AggregatedApis | undefined) {
    this.#catalog = catalog;
    this.#apis = apis;
    this.#registered = new PerGeneration(
      () => apis?.generation ?? 0,
      () => byGroup(apis?.versions() ?? []),
    );
    this.#names = new PerGeneration(
      () => this.generation,
      () => this.#inOrder(),
    );
  }

  get vocabulary(): Vocabulary {
    return this.#catalog.vocabulary;
  }

  /** Grows with each change. */
  get generation(): number {
    return this.#catalog.generation + (this.#apis?.generation ?? 0);
  }

  names(): readonly string[] {
    return this.#names.get();
  }

  #inOrder(): readonly string[] {
    const registered = this.#apis?.versions() ?? [];
    const own = this.#catalog.groups();
    if (registered.length === 0) return own;
    const priorityOf = groupPriorities(this.vocabulary);
    const priorities = new Map(own.map((group) => [group, priorityOf(group)]));
    for (const { group, groupPriority } of registered)
      priorities.set(group, Math.max(priorities.get(group) ?? 0, groupPriority));
    return [...priorities.keys()].sort(
      compareGroups(this.vocabulary, (group) => priorities.get(group) as number),
    );
  }

  /** The versions of a group, the preferred one first. A version that another server serves is not this one's, too. */
  versions(group: string): readonly DiscoveredVersion[] {
    const registered = this.#registered.get().get(group) ?? [];
    const own = this.#catalog
      .versions(group)
      .filter(({ version }) => !registered.some((each) => each.version === version))
      .map((served) => ({ version: served.version, served }));
    if (registered.length === 0) return own;
    const others = registered.map((each) => ({ version: each.version, registered: each }));
    const priorityOf = ({ version, registered: other }: DiscoveredVersion): number =>
      (other ?? rankOfOwn(this.vocabulary, group, version)).versionPriority;
    return [...own, ...others].sort(
      (a, b) => priorityOf(b) - priorityOf(a) || compareApiVersions(b.version, a.version),
    );
  }
}

function byGroup(versions: readonly RegisteredVersion[]): ReadonlyMap<string, readonly RegisteredVersion[]> {
  const groups = new Map<string, RegisteredVersion[]>();
  for (const each of versions) {
    const existing = groups.get(each.group);
    if (existing) existing.push(each);
    else groups.set(each.group, [each]);
  }
  return groups;
}
