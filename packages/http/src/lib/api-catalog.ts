import type { OptionalEncodings } from '@ashlar/codec';
import type { Vocabulary } from '@ashlar/core';
import type { ResourceDefinition, ResourceStorage, ResourceVersion } from '@ashlar/registry';
import { compareGroups } from './group-order.ts';
import { ServedResource } from './served-resource.ts';

/** One version of a group, with what is served in it. */
export interface ServedGroupVersion {
  readonly group: string;
  readonly version: string;
  /** By plural. */
  readonly resources: ReadonlyMap<string, ServedResource>;
}

/**
 * What a server serves: resource types by group, version and plural. May grow and shrink while the server runs;
 * `generation` grows with each change, so that documents made from it know when they are old.
 */
export class ApiCatalog {
  readonly vocabulary: Vocabulary;
  readonly encodings: OptionalEncodings;
  readonly #groups: Map<string, Map<string, Map<string, ServedResource>>> = new Map();
  #generation = 0;

  /** @param encodings what objects are served in besides JSON, YAML and Protobuf */
  constructor(vocabulary: Vocabulary, encodings: OptionalEncodings = {}) {
    this.vocabulary = vocabulary;
    this.encodings = encodings;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Serves a resource type in each of its served versions. */
  add(definition: ResourceDefinition, storage: ResourceStorage): void {
    for (const version of definition.versions)
      if (version.served) this.#addVersion(definition, version, storage);
    this.#generation++;
  }

  #addVersion(definition: ResourceDefinition, version: ResourceVersion, storage: ResourceStorage): void {
    const versions = this.#groups.get(definition.group) ?? new Map<string, Map<string, ServedResource>>();
    const resources = versions.get(version.name) ?? new Map<string, ServedResource>();
    const served = new ServedResource(definition, version, storage, this);
    this.#groups.set(
      definition.group,
      versions.set(version.name, resources.set(definition.names.plural, served)),
    );
  }

  /** Serves a resource type no longer. */
  remove({ group, names }: ResourceDefinition): void {
    const versions = this.#groups.get(group);
    for (const [version, resources] of versions ?? []) {
      resources.delete(names.plural);
      if (resources.size === 0) versions?.delete(version);
    }
    if (versions?.size === 0) this.#groups.delete(group);
    this.#generation++;
  }

  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#groups.get(group)?.get(version)?.get(plural);
  }

  /** Versions of a group, the preferred one first: as they were added. */
  versions(group: string): readonly ServedGroupVersion[] {
    const versions = this.#groups.get(group);
    return [...(versions ?? [])].map(([version, resources]) => ({ group, version, resources }));
  }

  /** Names of groups in the order of discovery; the core group is the empty string. */
  groups(): readonly string[] {
    return [...this.#groups.keys()].sort(compareGroups(this.vocabulary));
  }
}
