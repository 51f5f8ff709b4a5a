import type {
  Entry,
  KeyValueEvent,
  KeyValueStore,
  MemoryStore,
  PutOptions,
  RangeOptions,
  RangeResult,
  StoreCapabilities,
  WatchObserver,
  WriteResult,
} from '@ashlar/storage';

/** Resolves later; the test decides when. */
export type Delay = (what: string) => Promise<void>;

/** One watch over a slow connection: sent messages wait in `line` until they are released, in order. */
interface SlowWatch {
  readonly prefix: string;
  readonly observer: WatchObserver;
  readonly line: ((observer: WatchObserver) => void)[];
  readonly inner: Disposable;
  isMoving: boolean;
  isOver: boolean;
}

/**
 * A remote store: its state is an in-memory one, which others may share, and every request, response, batch
 * and notification is delayed. Entries are created again for each response, as by an engine over the network.
 */
export class DelayedStore implements KeyValueStore {
  readonly supports: StoreCapabilities;
  readonly #store: MemoryStore;
  readonly #delay: Delay;
  readonly #watches: Set<SlowWatch> = new Set();
  /** Number of calls of each method. */
  readonly calls: Record<'get' | 'range' | 'currentRevision' | 'watch', number> = {
    get: 0,
    range: 0,
    currentRevision: 0,
    watch: 0,
  };

  constructor(store: MemoryStore, delay: Delay, progress: boolean = true) {
    this.#store = store;
    this.#delay = delay;
    this.supports = { ...store.supports, fork: false, progress };
  }

  get(key: string): Promise<Entry | undefined> {
    this.calls.get++;
    return this.#ask('get', () => copyOf(this.#store.get(key)));
  }

  range(prefix: string, options?: RangeOptions): Promise<RangeResult> {
    this.calls.range++;
    return this.#ask('range', () => {
      const { entries, ...rest } = this.#store.range(prefix, options);
      return { ...rest, entries: entries.map((entry) => copyOf(entry) as Entry) };
    });
  }

  put(key: string, value: Uint8Array, options?: PutOptions): Promise<WriteResult> {
    return this.#ask('put', () => withoutPrevious(this.#store.put(key, value, options)));
  }

  delete(key: string, options?: { readonly ifRevision?: number }): Promise<WriteResult> {
    return this.#ask('delete', () => withoutPrevious(this.#store.delete(key, options)));
  }

  currentRevision(): Promise<number> {
    this.calls.currentRevision++;
    return this.#ask('currentRevision', () => this.#store.currentRevision());
  }

  compact(revision: number): Promise<void> {
    return this.#ask('compact', () => this.#store.compact(revision));
  }

  watch(prefix: string, options: { readonly afterRevision: number }, observer: WatchObserver): Disposable {
    this.calls.watch++;
    const inner = this.#store.watch(prefix, options, {
      events: (batch) => this.#send(watch, (to) => to.events(batch.map(copyOfEvent))),
      error: (error) => this.#send(watch, (to) => to.error(error)),
    });
    const watch: SlowWatch = { prefix, observer, inner, line: [], isMoving: false, isOver: false };
    this.#watches.add(watch);
    return { [Symbol.dispose]: () => this.#end(watch) };
  }

  requestProgress(prefix?: string): void {
    const revision = this.#store.currentRevision();
    for (const watch of this.#watches) {
      if (prefix !== undefined && prefix !== watch.prefix) continue;
      // after the events that the store has sent by now
      queueMicrotask(() => this.#send(watch, (to) => to.progress?.(revision)));
    }
  }

  /** Ends all watches as the store would. */
  cut(error: Error): void {
    for (const watch of this.#watches) {
      this.#end(watch);
      watch.observer.error(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const watch of this.#watches) this.#end(watch);
  }

  #end(watch: SlowWatch): void {
    watch.isOver = true;
    watch.inner[Symbol.dispose]();
    this.#watches.delete(watch);
  }

  async #ask<T>(what: string, result: () => T): Promise<T> {
    await this.#delay(`${what} goes out`);
    const given = result();
    await this.#delay(`${what} comes back`);
    return given;
  }

  #send(watch: SlowWatch, message: (observer: WatchObserver) => void): void {
    watch.line.push(message);
    if (!watch.isMoving) void this.#move(watch);
  }

  async #move(watch: SlowWatch): Promise<void> {
    watch.isMoving = true;
    while (watch.line.length > 0 && !watch.isOver) {
      await this.#delay('the watch moves');
      if (!watch.isOver) watch.line.shift()?.(watch.observer);
    }
    watch.isMoving = false;
  }
}

const copyOf = (entry: Entry | undefined): Entry | undefined => entry && { ...entry, memo: undefined };

const copyOfEvent = ({ entry, previous, ...event }: KeyValueEvent): KeyValueEvent => ({
  ...event,
  ...(entry && { entry: copyOf(entry) as Entry }),
  ...(previous && { previous: copyOf(previous) as Entry }),
  memo: undefined,
});

const withoutPrevious = (result: WriteResult): WriteResult => {
  if (!result.ok) return result.current ? { ...result, current: copyOf(result.current) as Entry } : result;
  const { revision, entry } = result;
  return { ok: true, revision, ...(entry && { entry: copyOf(entry) as Entry }) };
};
