import type { OwnedType, Ownership, OwnershipObserver, OwnershipSource } from '@ashlar/controllers';
import { type Ambient, parseApiVersion, undefinedIfNotFound } from '@ashlar/core';
import type { ApiCatalog, ServedResource } from '@ashlar/http';
import { objectOf, storedKey } from '@ashlar/registry';
import type { ObjectStore } from '@ashlar/storage';
import { systemContext } from '../assembly/system-context.ts';
import { OwnershipFollowing, type OwnershipSnapshot } from './ownership-following.ts';
import { ownershipOf, readOwnership } from './read-ownership.ts';

export interface LiveOwnershipOptions {
  readonly store: ObjectStore;
  readonly catalog: ApiCatalog;
  readonly ambient: Ambient;
  /** What another server over the same content knew when this one was forked from it. */
  readonly snapshot?: OwnershipSnapshot | undefined;
  /** Called when listing or watching fails, before it is retried. */
  readonly onError?: (error: unknown) => void;
}

const NAMESPACES = '/namespaces/';

/** The source of a server's garbage collector. */
export interface LiveOwnership extends OwnershipSource {
  /** What is known, for a fork; undefined if nothing has been read. */
  snapshot(): OwnershipSnapshot | undefined;
}

/**
 * Reports the owners of all objects in a store by one watch of everything: an event costs a look at its metadata, and objects without owners cost no
 * memory.
 */
export function createLiveOwnership(options: LiveOwnershipOptions): LiveOwnership {
  return new StoreOwnership(options);
}

class StoreOwnership implements LiveOwnership {
  readonly #options: LiveOwnershipOptions;
  #following: OwnershipFollowing | undefined;

  constructor(options: LiveOwnershipOptions) {
    this.#options = options;
  }

  follow(observer: OwnershipObserver): Disposable {
    const following = new OwnershipFollowing(this.#options, observer);
    this.#following = following;
    const types = this.#options.catalog.onChange(() => observer.typesChanged());
    return {
      [Symbol.dispose]() {
        following[Symbol.dispose]();
        types[Symbol.dispose]();
      },
    };
  }

  snapshot(): OwnershipSnapshot | undefined {
    return this.#following?.snapshot() ?? this.#options.snapshot;
  }

  typeOf(apiVersion: string, kind: string): OwnedType | undefined {
    return this.#served(apiVersion, kind, (served) => served.storage.get !== undefined);
  }

  typeInAnyVersion(apiVersion: string, kind: string): OwnedType | undefined {
    const { group } = parseApiVersion(apiVersion) ?? {};
    const canDelete = ({ storage }: ServedResource): boolean => storage.delete !== undefined;
    const exact = this.#served(apiVersion, kind, canDelete);
    if (exact || group === undefined) return exact;
    for (const { resources } of this.#options.catalog.versions(group)) {
      const served = ofKind(resources, kind);
      if (served && canDelete(served)) return new ServedType(served);
    }
    return undefined;
  }

  async find(type: OwnedType, namespace: string, name: string): Promise<Ownership | undefined> {
    const { served } = type as ServedType;
    const { definition, storage } = served;
    if (!definition.storage && !definition.createStore) {
      const record = await this.#options.store.get(storedKey(definition, namespace, name));
      return record && readOwnership(record);
    }
    try {
      const context = systemContext(served, namespace);
      const result = await storage.get?.(context, { name });
      return result && ownershipOf(objectOf(result));
    } catch (error) {
      return undefinedIfNotFound(error);
    }
  }

  async namespaceOf(type: OwnedType, name: string, uid: string): Promise<string | undefined> {
    const { records } = await this.#options.store.list(NAMESPACES);
    for (const { key } of records) {
      const namespace = key.slice(NAMESPACES.length);
      if ((await this.find(type, namespace, name))?.uid === uid) return namespace;
    }
    return undefined;
  }

  #served(
    apiVersion: string,
    kind: string,
    isUsable: (served: ServedResource) => boolean,
  ): OwnedType | undefined {
    const { group, version } = parseApiVersion(apiVersion) ?? {};
    if (group === undefined) return undefined;
    const served = this.#options.catalog.versions(group).find((each) => each.version === version);
    const found = served && ofKind(served.resources, kind);
    return found && isUsable(found) ? new ServedType(found) : undefined;
  }
}

function ofKind(resources: ReadonlyMap<string, ServedResource>, kind: string): ServedResource | undefined {
  for (const served of resources.values()) if (served.definition.names.kind === kind) return served;
  return undefined;
}

class ServedType implements OwnedType {
  readonly served: ServedResource;
  readonly reference: OwnedType['reference'];
  readonly namespaced: boolean;

  constructor(served: ServedResource) {
    const { group, names } = served.definition;
    this.served = served;
    this.reference = { group, version: served.version.name, resource: names.plural, kind: names.kind };
    this.namespaced = served.namespaced;
  }
}
