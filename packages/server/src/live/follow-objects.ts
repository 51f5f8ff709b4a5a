import { type ApiObject, type Clock, sleep } from '@ashlar/core';
import {
  andThen,
  type ListResult,
  type MaybePromise,
  type ObjectEvent,
  type ObjectStore,
} from '@ashlar/storage';

/** Told of each object that is there, and of each that goes. */
export interface ObjectFollower {
  set(object: ApiObject): void;
  delete(object: ApiObject): void;
}

export interface FollowOptions {
  readonly clock: Clock;
  /** Told when the store could not be followed; it is tried again. */
  readonly onError?: (error: unknown) => void;
}

/** Following a store: what has been read, and how to end it. */
export interface Following extends Disposable {
  /** Settled when everything that was there has been told; nothing to wait for where the store answers at once. */
  readonly synced: MaybePromise<void>;
}

const RETRY_MILLISECONDS = 1_000;

/** Keeps somebody informed of the objects under a prefix: all that are there, then every change, again from the start after a failure. */
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
  readonly #known: Map<string, ApiObject> = new Map();
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
      const listed = andThen(this.#store.list(this.#prefix), (list) => this.#begin(list));
      return listed instanceof Promise ? listed.catch((error) => this.#again(error)) : listed;
    } catch (error) {
      return this.#again(error);
    }
  }

  #begin({ records, revision }: ListResult): void {
    if (this.#ended.signal.aborted) return;
    const gone = new Map(this.#known);
    for (const { key, object } of records) {
      gone.delete(key);
      this.#set(key, object);
    }
    for (const key of gone.keys()) this.#delete(key);
    this.#watch = this.#store.watch(
      this.#prefix,
      { afterRevision: revision },
      {
        events: (batch) => {
          for (const event of batch) this.#apply(event);
        },
        error: (error) => this.#again(error),
      },
    );
  }

  #apply({ type, record }: ObjectEvent): void {
    if (type === 'removed') this.#delete(record.key);
    else this.#set(record.key, record.object);
  }

  #set(key: string, object: ApiObject): void {
    this.#known.set(key, object);
    this.#follower.set(object);
  }

  #delete(key: string): void {
    const object = this.#known.get(key);
    if (!object) return;
    this.#known.delete(key);
    this.#follower.delete(object);
  }

  async #again(error: unknown): Promise<void> {
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
