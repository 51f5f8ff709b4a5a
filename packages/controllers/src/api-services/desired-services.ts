import type { ApiObject, JsonValue } from '@ashlar/core';

/** What API services follow from: a definition of a custom type. */
export interface Definition extends ApiObject {
  readonly spec: {
    readonly group: string;
    readonly versions?: readonly { readonly name: string; readonly served: boolean }[] | null;
  };
}

/** Priorities of the groups and versions of custom resources; versions are ordered by their names (semantics/discovery#aggregation). */
const GROUP_PRIORITY = 1000;
const VERSION_PRIORITY = 100;

/** The API services that the versions of definitions are to have, by name. */
export class DesiredServices {
  /** By the name of the service, the specs that definitions want, by their names. */
  readonly #wanted: Map<string, Map<string, JsonValue>> = new Map();

  /** The spec of a service; undefined if no definition serves the version. */
  get(name: string): JsonValue | undefined {
    const [first] = this.#wanted.get(name)?.values() ?? [];
    return first;
  }

  /** Replaces a definition; returns the names of the services that may have changed. */
  replace(before: Definition | undefined, after: Definition | undefined): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { name, definition } of versionsOf(before)) {
      this.#remove(name, definition);
      names.add(name);
    }
    for (const { name, definition, isServed, spec } of versionsOf(after)) {
      if (isServed) this.#add(name, definition, spec);
      names.add(name);
    }
    return names;
  }

  #add(name: string, definition: string, spec: JsonValue): void {
    const wanted = this.#wanted.get(name) ?? new Map<string, JsonValue>();
    this.#wanted.set(name, wanted);
    wanted.set(definition, spec);
  }

  #remove(name: string, definition: string): void {
    const wanted = this.#wanted.get(name);
    wanted?.delete(definition);
    if (wanted?.size === 0) this.#wanted.delete(name);
  }
}

interface Version {
  readonly name: string;
  readonly definition: string;
  readonly isServed: boolean;
  readonly spec: JsonValue;
}

/** The versions of a definition with the names and specs of their services. */
function versionsOf(definition: Definition | undefined): readonly Version[] {
  if (!definition) return [];
  const { group, versions } = definition.spec;
  return (versions ?? []).map(({ name, served }) => ({
    name: `${name}.${group}`,
    definition: definition.metadata.name ?? '',
    isServed: served,
    spec: {
      group,
      version: name,
      groupPriorityMinimum: GROUP_PRIORITY,
      versionPriority: VERSION_PRIORITY,
    },
  }));
}
