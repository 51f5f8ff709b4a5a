import { type ApiObject, actualValueText } from '@ashlar/core';
import type { Lister } from './lister.ts';

/** A change of an object. */
export type Change<T> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly object: T; readonly previous: T }
  | { readonly type: 'deleted'; readonly object: T };

/** Objects by namespace and name. Lists are created once between two changes and shared. */
export class InformerStore<T extends ApiObject> implements Lister<T> {
  readonly #namespaces = new Map<string, Map<string, T>>();
  readonly #lists = new Map<string | undefined, readonly T[]>();

  get(namespace: string, name: string): T | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  list(namespace?: string): readonly T[] {
    let list = this.#lists.get(namespace);
    if (!list) {
      list =
        namespace === undefined ? [...this.#all()] : [...(this.#namespaces.get(namespace)?.values() ?? [])];
      this.#lists.set(namespace, list);
    }
    return list;
  }

  /** Stores an object; undefined if that version is stored already. */
  set(object: T): Change<T> | undefined {
    const { namespace = '', name = '', resourceVersion } = object.metadata;
    const previous = this.get(namespace, name);
    if (previous && previous.metadata.resourceVersion === resourceVersion) return undefined;
    let objects = this.#namespaces.get(namespace);
    if (!objects) {
      objects = new Map();
      this.#namespaces.set(namespace, objects);
    }
    objects.set(name, object);
    this.#lists.clear();
    return previous ? { type: 'updated', object, previous } : { type: 'added', object };
  }

  /** Removes an object; undefined if there is none. The change has its last state. */
  delete(object: T): Change<T> | undefined {
    const { namespace = '', name = '' } = object.metadata;
    const objects = this.#namespaces.get(namespace);
    if (!objects?.delete(name)) return undefined;
    if (objects.size === 0) this.#namespaces.delete(namespace);
    this.#lists.clear();
    return { type: 'deleted', object };
  }

  /** Replaces all objects; returns the changes. */
  replace(objects: readonly T[]): readonly Change<T>[] {
    const keys = new Set(objects.map(keyOf));
    const removed = this.list().filter((object) => !keys.has(keyOf(object)));
    const changes = [
      ...removed.map((object) => this.delete(object)),
      ...objects.map((object) => this.set(object)),
    ];
    return changes.filter((change) => change !== undefined);
  }

  *#all(): Iterable<T> {
    for (const objects of this.#namespaces.values()) yield* objects.values();
  }
}

/** The key of an object: `namespace/name`, and the plain name without a namespace. */
export function keyOf(object: ApiObject): string {
  if (typeof object?.metadata !== 'object')
    throw new TypeError(`keyOf takes an object with metadata, not ${actualValueText(object)}`);
  const { namespace, name = '' } = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}

/** The parts of a key. */
export function parseKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
