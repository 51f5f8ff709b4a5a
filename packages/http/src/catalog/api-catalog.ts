import type { OptionalEncodings } from '@ashlar/codec';
import { compareApiVersions, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition, ResourceStorage, ResourceVersion } from '@ashlar/registry';
import { EncodingBudget } from '../encoding/encoding-budget.ts';
import { compareGroups } from './group-order.ts';
import { PerGeneration } from './per-generation.ts';
import { Retirement } from './retirement.ts';
import { ServedResource } from './served-resource.ts';

/** One version of a group and its resources. */
export interface ServedGroupVersion {
  readonly group: string;
  readonly version: string;
  /** By plural. */
  readonly resources: ReadonlyMap<string, ServedResource>;
}

/** Whether a group version has resources of a dialect; a group of thousands is not copied to find out. */
export function hasDialect(
  { resources }: Pick<ServedGroupVersion, 'resources'>,
  dialect: ResourceDefinition['dialect'],
): boolean {
  for (const { definition } of resources.values()) if (definition.dialect === dialect) return true;
  return false;
}

/**
 * The resource types of a server by group, version and plural. It may change while the server runs; `generation` grows with each
 * change, so that documents derived from it can be refreshed.
 */
export class ApiCatalog {
  readonly vocabulary: Vocabulary;
  readonly encodings: OptionalEncodings;
  readonly budget: EncodingBudget;
  readonly #groups: Map<string, Map<string, Map<string, ServedResource>>> = new Map();
  readonly #listeners: Set<() => void> = new Set();
  #generation = 0;
  /** The names of the groups: of thousands, several documents ask. */
  readonly #inOrder: PerGeneration<readonly string[]> = new PerGeneration(
    () => this.#generation,
    () => [...this.#groups.keys()].sort(compareGroups(this.vocabulary)),
  );

  /**
   * @param encodings supported besides JSON, YAML and Protobuf
   * @param budget limits the memory of cached encodings
   */
  constructor(
    vocabulary: Vocabulary,
    encodings: OptionalEncodings = {},
    budget: EncodingBudget = new EncodingBudget(),
  ) {
    this.vocabulary = vocabulary;
    this.encodings = encodings;
    this.budget = budget;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Calls after each change, until it is disposed. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #changed(): void {
    this.#generation++;
    for (const listener of this.#listeners) listener();
  }

  /** Adds a resource type with each of its served versions. */
  add(definition: ResourceDefinition, storage: ResourceStorage): void {
    this.#add(definition, storage, new Retirement());
    this.#changed();
  }

  #add(definition: ResourceDefinition, storage: ResourceStorage, retirement: Retirement): void {
    for (const version of definition.versions)
      if (version.served) this.#addVersion(definition, version, storage, retirement);
  }

  #addVersion(
    definition: ResourceDefinition,
    version: ResourceVersion,
    storage: ResourceStorage,
    retirement: Retirement,
  ): void {
    const versions = this.#groups.get(definition.group) ?? new Map<string, Map<string, ServedResource>>();
    const resources = versions.get(version.name) ?? new Map<string, ServedResource>();
    const served = new ServedResource(definition, version, storage, this, retirement);
    this.#groups.set(
      definition.group,
      versions.set(version.name, resources.set(definition.names.plural, served)),
    );
  }

  /** Removes a resource type and ends its watches. */
  remove(definition: ResourceDefinition): void {
    this.#remove(definition)?.retire();
    this.#changed();
  }

  /**
   * Replaces the definition of a resource type.
   * @param continues whether running watches continue, because their events are the same
   */
  replace(
    old: ResourceDefinition,
    definition: ResourceDefinition,
    storage: ResourceStorage,
    continues: boolean,
  ): void {
    const retirement = this.#remove(old);
    this.#add(definition, storage, (continues && retirement) || new Retirement());
    this.#changed();
    if (!continues) retirement?.retire();
  }

  #remove({ group, names }: ResourceDefinition): Retirement | undefined {
    const versions = this.#groups.get(group);
    let retirement: Retirement | undefined;
    for (const [version, resources] of versions ?? []) {
      retirement ??= resources.get(names.plural)?.retirement;
      resources.delete(names.plural);
      if (resources.size === 0) versions?.delete(version);
    }
    if (versions?.size === 0) this.#groups.delete(group);
    return retirement;
  }

  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#groups.get(group)?.get(version)?.get(plural);
  }

  /** Returns the versions of a group, the preferred one first: as added, or sorted by name if there are custom types. */
  versions(group: string): readonly ServedGroupVersion[] {
    const versions = [...(this.#groups.get(group) ?? [])];
    if (versions.length > 1 && versions.some(([, resources]) => hasDialect({ resources }, 'custom')))
      versions.sort(([a], [b]) => compareApiVersions(b, a));
    return versions.map(([version, resources]) => ({ group, version, resources }));
  }

  /** The number of groups. */
  get groupCount(): number {
    return this.#groups.size;
  }

  /** Returns the names of groups in the order of discovery; the core group is the empty string. */
  groups(): readonly string[] {
    return this.#inOrder.get();
  }
}
