import { compareApiVersions, groupName, type Vocabulary } from '@ashlar/core';
import type { AggregatedApis, OwnRegistrations, RankedVersion } from '../aggregated/aggregated-apis.ts';
import type { ApiCatalog } from '../catalog/api-catalog.ts';
import { PerGeneration } from '../catalog/per-generation.ts';
import { rankOfOwn } from './rank-of-own.ts';

/**
 * The groups and versions in the plain documents of discovery: those that API services register, and those that the server serves
 * before it has registered them (semantics/discovery#aggregation-in-detail).
 */
export class ListedGroups {
  readonly #catalog: ApiCatalog;
  readonly #apis: AggregatedApis | undefined;
  readonly #inOrder: PerGeneration<ReadonlyMap<string, readonly string[]>>;

  constructor(catalog: ApiCatalog, apis: AggregatedApis | undefined) {
    this.#catalog = catalog;
    this.#apis = apis;
    this.#inOrder = new PerGeneration(
      () => this.generation,
      () => (this.#isRanked ? this.#ranked() : this.#served()),
    );
  }

  get vocabulary(): Vocabulary {
    return this.#catalog.vocabulary;
  }

  /** Grows with each change. */
  get generation(): number {
    return this.#catalog.generation + (this.#apis?.generation ?? 0) + (this.#apis?.own?.generation ?? 0);
  }

  /** At most how many there are, without putting them in order. */
  get maximumCount(): number {
    return this.#catalog.groupCount + (this.#apis?.versions().length ?? 0);
  }

  /** All but the core group. */
  names(): readonly string[] {
    return [...this.#inOrder.get().keys()];
  }

  /** The versions of a group, the preferred one first. */
  versions(group: string): readonly string[] {
    return this.#inOrder.get().get(group) ?? [];
  }

  /** Without API services a server has no order but its own. */
  get #isRanked(): boolean {
    return this.#own !== undefined || (this.#apis?.versions().length ?? 0) > 0;
  }

  /** Of those that do not publish API services, what is registered is no concern of callers. */
  get #own(): OwnRegistrations | undefined {
    return this.#catalog.groups().includes(this.#registration) ? this.#apis?.own : undefined;
  }

  get #registration(): string {
    return groupName(this.vocabulary, 'apiregistration.');
  }

  #served(): ReadonlyMap<string, readonly string[]> {
    const own = this.#catalog.groups().filter((group) => group !== '');
    return new Map(own.map((group) => [group, this.#catalog.versions(group).map(({ version }) => version)]));
  }

  #ranked(): ReadonlyMap<string, readonly string[]> {
    const byGroup = new Map<string, RankedVersion[]>();
    const sorted = [...this.#entries()].sort(
      ([a, first], [b, second]) => second.groupPriority - first.groupPriority || (a < b ? -1 : 1),
    );
    for (const [, each] of sorted) {
      const existing = byGroup.get(each.group);
      if (existing) existing.push(each);
      else byGroup.set(each.group, [each]);
    }
    return new Map(
      [...byGroup].map(([group, versions]) => [
        group,
        versions.sort(byPriority).map(({ version }) => version),
      ]),
    );
  }

  /** By the names of their API services. The group of the API services themselves does not follow from them. */
  #entries(): ReadonlyMap<string, RankedVersion> {
    const fixed = this.#registration;
    const entries = new Map<string, RankedVersion>();
    for (const versions of [this.#apis?.versions() ?? [], this.#own?.versions() ?? []])
      for (const each of versions)
        if (each.group !== '' && each.group !== fixed) entries.set(`${each.version}.${each.group}`, each);
    for (const group of this.#catalog.groups()) {
      if (group === '') continue;
      for (const { version } of this.#catalog.versions(group)) {
        const name = `${version}.${group}`;
        if (!entries.has(name)) entries.set(name, rankOfOwn(this.vocabulary, group, version));
      }
    }
    return entries;
  }
}

const byPriority = (a: RankedVersion, b: RankedVersion): number =>
  b.versionPriority - a.versionPriority || compareApiVersions(b.version, a.version);
