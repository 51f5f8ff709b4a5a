import { type ApiObject, type JsonObject, kubernetesVocabulary, type Vocabulary } from '@ashlar/core';
import { type ResourceDefinition, storedKey } from '@ashlar/registry';
import { emptyStore, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';

/** Objects of a kind that are stored as they are, as if a former release had accepted them. */
export class FormerObjects {
  readonly #definition: ResourceDefinition;
  readonly #store = emptyStore();
  readonly resource: InMemoryResource;

  constructor(type: (vocabulary: Vocabulary) => ResourceDefinition) {
    this.#definition = type(kubernetesVocabulary);
    this.resource = new InMemoryResource(this.#definition, this.#store);
  }

  /** Stores an object. @param fault what becomes of it before it is stored */
  async store(object: JsonObject, fault: (object: JsonObject) => JsonObject): Promise<JsonObject> {
    const created = await this.resource.create(object);
    const { name = '', namespace = '' } = created.metadata;
    const faulty = fault(created as unknown as JsonObject) as unknown as ApiObject;
    await this.#store.update(storedKey(this.#definition, namespace, name), () => ({
      action: 'write',
      object: faulty,
    }));
    return (await this.resource.get(name)) as unknown as JsonObject;
  }
}

/** A copy with another value at a path. */
export function withValue(object: JsonObject, path: string, value: unknown): JsonObject {
  const [name = '', ...rest] = path.split('.');
  const copy = (Array.isArray(object) ? [...object] : { ...object }) as Record<string, unknown>;
  copy[name] = rest.length === 0 ? value : withValue((copy[name] ?? {}) as JsonObject, rest.join('.'), value);
  return copy as JsonObject;
}
