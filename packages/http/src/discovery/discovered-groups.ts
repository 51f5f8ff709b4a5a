import { compareApiVersions, type Vocabulary } from '@ashlar/core';
import type { AggregatedApis, RegisteredVersion } from '../aggregated/aggregated-apis.ts';
import type { ApiCatalog, ServedGroupVersion } from '../catalog/api-catalog.ts';
import { compareGroups, groupPriorities } from '../catalog/group-order.ts';
import { rankOfOwn } from './rank-of-own.ts';

/** A version of a group: served by this server or by another one. */
export type DiscoveredVersion =
  | { readonly version: string; readonly served: ServedGroupVersion; readonly registered?: never }
  | { readonly version: string; readonly registered: RegisteredVersion; readonly served?: never };

/** The groups and versions of a server and of those behind it, in the order of aggregated discovery. */
export class DiscoveredGroups {
  readonly #catalog: ApiCatalog;
  readonly #apis: AggregatedApis | undefined;
  #byGroup: ReadonlyMap<string, readonly RegisteredVersion[]> = new Map();
  #byGroupOf = -1;
  #names: readonly string[] = [];
  #namesOf = -1;

  constructor(catalog: ApiCatalog, apis: AggregatedApis | undefined) {
    this.#catalog = catalog;
    this.#apis = apis;
  }

  get vocabulary(): Vocabulary {
    return this.#catalog.vocabulary;
  }

  /** Grows with each change. */
  get generation(): number {
    return this.#catalog.generation + (this.#apis?.generation ?? 0);
  }

  names(): readonly string[] {
    const { generation } = this;
    if (this.#namesOf !== generation) {
      this.#names = this.#inOrder();
      this.#namesOf = generation;
    }
    return this.#names;
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
    const registered = this.#registered().get(group) ?? [];
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

  /** The versions of other servers by group, sorted out once for each change. */
  #registered(): ReadonlyMap<string, readonly RegisteredVersion[]> {
    const generation = this.#apis?.generation ?? -1;
    if (this.#byGroupOf !== generation) {
      const byGroup = new Map<string, RegisteredVersion[]>();
      for (const each of this.#apis?.versions() ?? []) {
        const existing = byGroup.get(each.group);
        if (existing) existing.push(each);
        else byGroup.set(each.group, [each]);
      }
      this.#byGroup = byGroup;
      this.#byGroupOf = generation;
    }
    return this.#byGroup;
  }
}
