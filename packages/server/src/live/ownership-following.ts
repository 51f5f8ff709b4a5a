import type { OwnershipObserver } from '@ashlar/controllers';
import { type Clock, pause, sleep, type Turns } from '@ashlar/core';
import type { ObjectEvent, ObjectRecord, ObjectStore, UnreadableObjectError } from '@ashlar/storage';
import { OWN_KEYS } from '../assembly/store-vocabulary.ts';
import { mayBeOwned, readIdentity, readOwnership, type StoredOwnership } from './read-ownership.ts';

export interface OwnershipFollowingOptions {
  readonly store: ObjectStore;
  readonly ambient: { readonly clock: Clock; readonly turns?: Turns };
  /** Called when listing or watching fails, before it is retried. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** What the store had at an earlier revision: only what came later is read. */
  readonly snapshot?: OwnershipSnapshot | undefined;
}

/** The objects that have owners or were deleted, as of a revision. */
export interface OwnershipSnapshot {
  readonly objects: readonly StoredOwnership[];
  readonly revision: number;
}

type StoredObjectsObserver = Pick<OwnershipObserver, 'replaced' | 'changed' | 'removed'>;

/** Objects read at a time. */
const PAGE = 1000;
const RETRY_MILLISECONDS = 1_000;
/** Events come and go in great numbers, and are never collected. */
const EVENTS = '/events/';

/** Reads the owners of all objects of a store and follows them, until it is disposed; from the start again after a failure. */
export class OwnershipFollowing implements Disposable {
  readonly #options: OwnershipFollowingOptions;
  readonly #observer: StoredObjectsObserver;
  readonly #ended: AbortController = new AbortController();
  /** By key. */
  readonly #objects: Map<string, StoredOwnership> = new Map();
  /** Up to which `#objects` is what the store has; undefined until it has been read. */
  #revision: number | undefined;
  #watch: Disposable | undefined;

  constructor(options: OwnershipFollowingOptions, observer: StoredObjectsObserver) {
    this.#options = options;
    this.#observer = observer;
    void this.#start(options.snapshot);
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    this.#watch?.[Symbol.dispose]();
  }

  /** What is known; undefined until the store has been read. */
  snapshot(): OwnershipSnapshot | undefined {
    return this.#revision === undefined
      ? undefined
      : { objects: [...this.#objects.values()], revision: this.#revision };
  }

  async #start(snapshot?: OwnershipSnapshot): Promise<void> {
    try {
      // the observer is not called before the constructor has returned
      const found = (await snapshot) ?? (await this.#list());
      if (found && !this.#ended.signal.aborted) this.#follow(found);
    } catch (error) {
      await this.#retry(error);
    }
  }

  async #retry(error: unknown): Promise<void> {
    const { signal } = this.#ended;
    const { ambient, onError } = this.#options;
    this.#watch?.[Symbol.dispose]();
    if (signal.aborted) return;
    onError?.(error);
    await sleep(ambient.clock, RETRY_MILLISECONDS, signal).catch(() => {});
    if (!signal.aborted) await this.#start();
  }

  /** Pages may be of different states: the watch begins at the first one, and corrects later ones, which are ahead of it. */
  async #list(): Promise<OwnershipSnapshot | undefined> {
    const { store, ambient } = this.#options;
    const objects: StoredOwnership[] = [];
    let revision: number | undefined;
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await store.list('', {
        limit: PAGE,
        onUnreadable: this.#skip,
        ...(after !== '' && { after }),
      });
      if (this.#ended.signal.aborted) return undefined;
      revision ??= page.revision;
      for (const record of page.records)
        this.#guard(() => isOwned(record) && objects.push(readOwnership(record)));
      after = page.remaining > 0 ? (page.lastKey ?? page.records.at(-1)?.key) : undefined;
      if (after !== undefined) await pause(ambient);
    }
    return { objects, revision: revision ?? 0 };
  }

  #follow({ objects, revision }: OwnershipSnapshot): void {
    this.#objects.clear();
    for (const object of objects) this.#objects.set(object.key, object);
    this.#revision = revision;
    this.#observer.replaced(objects);
    this.#watch = this.#options.store.watch(
      '',
      { afterRevision: revision, onUnreadable: this.#skip },
      {
        events: (batch) => {
          for (const event of batch) this.#guard(() => this.#apply(event));
          this.#revision = batch.at(-1)?.record.revision ?? this.#revision;
        },
        error: (error) => void this.#retry(error),
      },
    );
  }

  #apply({ type, record }: ObjectEvent): void {
    if (!isFollowed(record)) return;
    const { key } = record;
    if (type === 'removed') {
      const { uid = '', namespace = '' } = readIdentity(record);
      this.#objects.delete(key);
      this.#observer.removed(uid, namespace);
      return;
    }
    const isNowOwned = isOwned(record);
    if (!isNowOwned && !this.#objects.has(key)) return;
    const object = readOwnership(record);
    if (isNowOwned) this.#objects.set(key, object);
    else this.#objects.delete(key);
    this.#observer.changed(object);
  }

  /** What the server writes for itself is no object. */
  readonly #skip = (error: UnreadableObjectError): void => {
    if (!error.key.startsWith(OWN_KEYS)) this.#options.onError?.(error);
  };

  /** An object that cannot be read must not keep others from being collected. */
  #guard(read: () => unknown): void {
    try {
      read();
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}

const isOwned = (record: ObjectRecord): boolean => isFollowed(record) && mayBeOwned(record);

/** Events have no owners, and what the server writes for itself is no object. */
const isFollowed = ({ key }: ObjectRecord): boolean =>
  key.startsWith('/') && !key.startsWith(EVENTS) && !key.startsWith(OWN_KEYS);
