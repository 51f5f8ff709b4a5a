import type { Ownership, OwnershipObserver } from '@ashlar/controllers';
import { type Clock, pause, sleep, type Turns } from '@ashlar/core';
import type { ObjectEvent, ObjectRecord, ObjectStore } from '@ashlar/storage';
import { mayBeOwned, readMetadata, readOwnership } from './read-ownership.ts';

export interface OwnershipFollowingOptions {
  readonly store: ObjectStore;
  readonly ambient: { readonly clock: Clock; readonly turns?: Turns };
  /** Called when listing or watching fails, before it is retried. */
  readonly onError?: ((error: unknown) => void) | undefined;
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
  #watch: Disposable | undefined;

  constructor(options: OwnershipFollowingOptions, observer: StoredObjectsObserver) {
    this.#options = options;
    this.#observer = observer;
    void this.#start();
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    this.#watch?.[Symbol.dispose]();
  }

  async #start(): Promise<void> {
    try {
      await this.#listAndWatch();
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

  /** Pages may be of different states: the watch begins at the first one, and corrects what later ones tell too early. */
  async #listAndWatch(): Promise<void> {
    const { store, ambient } = this.#options;
    const objects: Ownership[] = [];
    let afterRevision: number | undefined;
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await store.list('', { limit: PAGE, ...(after !== '' && { after }) });
      if (this.#ended.signal.aborted) return;
      afterRevision ??= page.revision;
      for (const record of page.records)
        this.#guard(() => isOwned(record) && objects.push(readOwnership(record)));
      after = page.remaining > 0 ? page.records.at(-1)?.key : undefined;
      if (after !== undefined) await pause(ambient);
    }
    if (this.#ended.signal.aborted) return;
    this.#observer.replaced(objects);
    this.#watch = store.watch(
      '',
      { afterRevision: afterRevision ?? 0 },
      {
        events: (batch) => {
          for (const event of batch) this.#guard(() => this.#apply(event));
        },
        error: (error) => void this.#retry(error),
      },
    );
  }

  #apply({ type, record, previous }: ObjectEvent): void {
    if (!isFollowed(record)) return;
    if (type === 'removed') {
      const { uid = '', namespace = '' } = readMetadata(record);
      this.#observer.removed(uid, namespace);
    } else if (isOwned(record) || (previous && isOwned(previous)))
      this.#observer.changed(readOwnership(record));
  }

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

const isFollowed = ({ key }: ObjectRecord): boolean => key.startsWith('/') && !key.startsWith(EVENTS);
