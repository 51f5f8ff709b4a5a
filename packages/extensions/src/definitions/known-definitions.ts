import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import { acceptedNamesOf, hasItsNames, type NamesInUse } from './naming.ts';

/** Definitions by name, and by group, which names must be unique in. */
export class FollowedDefinitions {
  readonly #byName: Map<string, CustomResourceDefinition> = new Map();
  readonly #byGroup: Map<string, FollowedGroup> = new Map();

  get(name: string): CustomResourceDefinition | undefined {
    return this.#byName.get(name);
  }

  /** The group of a definition never changes. */
  set(name: string, definition: CustomResourceDefinition): void {
    const { group } = definition.spec;
    const ofGroup = this.#byGroup.get(group) ?? new FollowedGroup();
    this.#byGroup.set(group, ofGroup);
    ofGroup.replace(name, this.#byName.get(name), definition);
    this.#byName.set(name, definition);
  }

  delete(name: string): void {
    const definition = this.#byName.get(name);
    if (!definition) return;
    const { group } = definition.spec;
    this.#byName.delete(name);
    const ofGroup = this.#byGroup.get(group);
    ofGroup?.replace(name, definition, undefined);
    if (ofGroup?.isEmpty) this.#byGroup.delete(group);
  }

  clear(): void {
    this.#byName.clear();
    this.#byGroup.clear();
  }

  /** The names of those of a group that have not got all that they request, except that one. */
  namelessOthersOf(group: string, name: string): readonly string[] {
    return [...(this.#byGroup.get(group)?.nameless ?? [])].filter((other) => other !== name);
  }

  /** The accepted names in the group of a definition: those of the others as followed, and its own as given. */
  namesInUse(definition: CustomResourceDefinition): NamesInUse {
    const ofGroup = this.#byGroup.get(definition.spec.group);
    const followed = this.#byName.get(definition.metadata.name ?? '');
    const inUse = (of: 'resources' | 'kinds'): NamesInUse['kinds'] => {
      const own = new Set(acceptedNamesOf(definition)[of]);
      const former = new Set(followed && acceptedNamesOf(followed)[of]);
      return {
        has: (name) => own.has(name) || (ofGroup?.[of].get(name) ?? 0) > (former.has(name) ? 1 : 0),
      };
    };
    return { resources: inUse('resources'), kinds: inUse('kinds') };
  }
}

/** What is known of the definitions of a group together, so that none of them looks at all others. */
class FollowedGroup {
  /** How many definitions have a name. */
  readonly resources: Map<string, number> = new Map();
  readonly kinds: Map<string, number> = new Map();
  readonly nameless: Set<string> = new Set();
  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  replace(
    name: string,
    former: CustomResourceDefinition | undefined,
    definition: CustomResourceDefinition | undefined,
  ): void {
    if (former) this.#count(former, -1);
    if (definition) this.#count(definition, 1);
    if (definition && !hasItsNames(definition)) this.nameless.add(name);
    else this.nameless.delete(name);
  }

  #count(definition: CustomResourceDefinition, change: 1 | -1): void {
    this.#size += change;
    const { resources, kinds } = acceptedNamesOf(definition);
    for (const name of new Set(resources)) addTo(this.resources, name, change);
    for (const name of new Set(kinds)) addTo(this.kinds, name, change);
  }
}

function addTo(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + change;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}
