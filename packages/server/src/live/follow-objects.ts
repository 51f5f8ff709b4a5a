import { type ApiObject, andThen, type Clock, type MaybePromise, sleep } from '@ashlar/core';
import type { ListResult, ObjectEvent, ObjectStore } from '@ashlar/storage';

/** Receives each existing or changed object, and each deleted one. */
export interface ObjectFollower {
  set(object: ApiObject): void;
  delete(object: ApiObject): void;
}

export interface FollowOptions {
  readonly clock: Clock;
  /** Called when listing or watching fails, before it is retried. */
  readonly onError?: (error: unknown) => void;
}

/** A list and watch of a store that runs until it is disposed. */
export interface Following extends Disposable {
  /** Settled when the follower has received every existing object; undefined if the store answers synchronously. */
  readonly synced: MaybePromise<void>;
}

const RETRY_MILLISECONDS = 1_000;

/** Lists and watches the objects under a prefix: the follower receives all existing objects, then every change. After a failure it lists again. */
export function followObjects(
  store: ObjectStore,
  prefix: string,
  follower: ObjectFollower,
  options: FollowOptions,
): Following {
  return new StoreFollowing(store, prefix, follower, options);
}

class StoreFollowing implements Following {
  readonly synced: MaybePromise<void>;
  readonly #store: ObjectStore;
  readonly #prefix: string;
  readonly #follower: ObjectFollower;
  readonly #options: FollowOptions;
  readonly #objects: Map<string, ApiObject> = new Map();
  readonly #ended = new AbortController();
  #watch: Disposable | undefined;

  constructor(store: ObjectStore, prefix: string, follower: ObjectFollower, options: FollowOptions) {
    this.#store = store;
    this.#prefix = prefix;
    this.#follower = follower;
    this.#options = options;
    this.synced = this.#start();
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    this.#watch?.[Symbol.dispose]();
  }

  #start(): MaybePromise<void> {
    try {
      const listed = andThen(this.#store.list(this.#prefix), (list) => this.#deliverAndWatch(list));
      return listed instanceof Promise ? listed.catch((error) => this.#retry(error)) : listed;
    } catch (error) {
      return this.#retry(error);
    }
  }

  #deliverAndWatch({ records, revision }: ListResult): void {
    if (this.#ended.signal.aborted) return;
    const removed = new Map(this.#objects);
    for (const { key, object } of records) {
      removed.delete(key);
      this.#set(key, object);
    }
    for (const key of removed.keys()) this.#delete(key);
    this.#watch = this.#store.watch(
      this.#prefix,
      { afterRevision: revision },
      {
        events: (batch) => {
          for (const event of batch) this.#apply(event);
        },
        error: (error) => this.#retry(error),
      },
    );
  }

  #apply({ type, record }: ObjectEvent): void {
    if (type === 'removed') this.#delete(record.key);
    else this.#set(record.key, record.object);
  }

  #set(key: string, object: ApiObject): void {
    this.#objects.set(key, object);
    this.#follower.set(object);
  }

  #delete(key: string): void {
    const object = this.#objects.get(key);
    if (!object) return;
    this.#objects.delete(key);
    this.#follower.delete(object);
  }

  async #retry(error: unknown): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#options.onError?.(error);
    try {
      await sleep(this.#options.clock, RETRY_MILLISECONDS, this.#ended.signal);
    } catch {
      return;
    }
    await this.#start();
  }
}
