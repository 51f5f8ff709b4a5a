import type { MaybePromise, Metrics } from '@ashlar/core';
import { type ResourceStorage, storedPrefix } from '@ashlar/registry';
import type { ApiCatalog } from '../catalog/api-catalog.ts';

type Count = () => MaybePromise<number>;

/** Stands for a number that the store cannot tell. */
const UNKNOWN = -1;

/**
 * The metric of how many objects of each type are stored (semantics/discovery#metrics). They are counted when metrics are collected: at
 * once by a store with its state in memory. Another store is asked then, and what it has answered before is shown.
 */
export class StoredObjectCounts {
  readonly #catalog: ApiCatalog;
  readonly #known: Map<string, number> = new Map();
  readonly #asked: Set<string> = new Set();

  /** @throws TypeError if the metric is already registered */
  constructor(metrics: Metrics, catalog: ApiCatalog) {
    this.#catalog = catalog;
    metrics.gauge(
      {
        name: 'apiserver_storage_objects',
        help: 'Number of stored objects of a resource; -1 if the storage could not tell.',
        labels: ['resource'],
      },
      () => {
        this.count();
        return [...this.#known].map(([resource, value]) => ({ labels: [resource], value }));
      },
      () => this.#known.clear(),
    );
  }

  /** Counts anew, so that there are numbers when metrics are collected. Types that are no longer served are forgotten. */
  count(): void {
    const counts = storedTypes(this.#catalog);
    for (const resource of this.#known.keys()) if (!counts.has(resource)) this.#known.delete(resource);
    for (const [resource, count] of counts) if (!this.#asked.has(resource)) this.#count(resource, count);
  }

  #count(resource: string, count: Count): void {
    try {
      const counted = count();
      if (counted instanceof Promise) this.#await(resource, counted);
      else this.#known.set(resource, counted);
    } catch {
      this.#known.set(resource, UNKNOWN);
    }
  }

  #await(resource: string, counted: Promise<number>): void {
    this.#asked.add(resource);
    const settle = (value: number): void => {
      this.#asked.delete(resource);
      this.#known.set(resource, value);
    };
    counted.then(settle, () => settle(UNKNOWN));
  }
}

/** How to count the objects of each type, by the name under which they are stored: types that share their objects are one. */
function storedTypes(catalog: ApiCatalog): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>();
  for (const group of catalog.groups()) {
    for (const { resources } of catalog.versions(group)) {
      for (const { definition, storage } of resources.values()) {
        const count = countOf(storage);
        if (count) counts.set(storedPrefix(definition).slice(1, -1), count);
      }
    }
  }
  return counts;
}

const countOf = (storage: ResourceStorage): Count | undefined => storage.count?.bind(storage);
