import type { Clock } from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';
import { type Following, followObjects, type ObjectFollower } from './follow-objects.ts';

export interface LazyFollowingOptions {
  readonly clock: Clock;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Follows the objects under some prefixes of a store, from the first call on. */
export class LazyFollowing implements Disposable {
  readonly #store: ObjectStore;
  readonly #followers: Readonly<Record<string, ObjectFollower>>;
  readonly #options: LazyFollowingOptions;
  #following: readonly Following[] | undefined;
  #waiting: Promise<void> | undefined;
  #isDisposed = false;

  /** @param followers by prefix */
  constructor(
    store: ObjectStore,
    followers: Readonly<Record<string, ObjectFollower>>,
    options: LazyFollowingOptions,
  ) {
    this.#store = store;
    this.#followers = followers;
    this.#options = options;
  }

  /** Returns a promise until the followers have received every existing object. */
  synced(): Promise<void> | undefined {
    if (!this.#following && !this.#isDisposed) this.#follow();
    return this.#waiting;
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const following of this.#following ?? []) following[Symbol.dispose]();
  }

  #follow(): void {
    const { clock, onError } = this.#options;
    const following = Object.entries(this.#followers).map(([prefix, follower]) =>
      followObjects(this.#store, prefix, follower, { clock, ...(onError && { onError }) }),
    );
    this.#following = following;
    const waiting = following.flatMap(({ synced }) => (synced instanceof Promise ? [synced] : []));
    if (waiting.length === 0) return;
    this.#waiting = Promise.all(waiting).then(() => {
      this.#waiting = undefined;
    });
  }
}
