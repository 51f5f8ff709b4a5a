import type { CustomResourceDefinition } from './custom-resource-definition.ts';

/** Definitions by name, and by group, which names must be unique in. */
export class FollowedDefinitions {
  readonly #byName: Map<string, CustomResourceDefinition> = new Map();
  readonly #byGroup: Map<string, Map<string, CustomResourceDefinition>> = new Map();

  get(name: string): CustomResourceDefinition | undefined {
    return this.#byName.get(name);
  }

  /** The group of a definition never changes. */
  set(name: string, definition: CustomResourceDefinition): void {
    const { group } = definition.spec;
    const ofGroup = this.#byGroup.get(group) ?? new Map();
    this.#byGroup.set(group, ofGroup.set(name, definition));
    this.#byName.set(name, definition);
  }

  delete(name: string): void {
    const group = this.#byName.get(name)?.spec.group ?? '';
    this.#byName.delete(name);
    const ofGroup = this.#byGroup.get(group);
    ofGroup?.delete(name);
    if (ofGroup?.size === 0) this.#byGroup.delete(group);
  }

  clear(): void {
    this.#byName.clear();
    this.#byGroup.clear();
  }

  /** All of a group except that name, in order of addition. */
  *othersOf(group: string, name: string): Iterable<CustomResourceDefinition> {
    for (const [other, definition] of this.#byGroup.get(group) ?? []) if (other !== name) yield definition;
  }
}
