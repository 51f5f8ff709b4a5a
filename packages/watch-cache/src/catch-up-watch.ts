import type {
  Entry,
  KeyValueEvent,
  KeyValueStore,
  Watch,
  WatchObserver,
  WatchOptions,
} from '@ashlar/storage';

/** A watch that starts before the history of the cache. */
export interface CatchUpOptions {
  readonly store: KeyValueStore;
  readonly prefix: string;
  readonly options: WatchOptions;
  /** The cached entry that equals another one. */
  readonly shared: (entry: Entry) => Entry;
  /** Whether the cache has every event after a revision. */
  readonly remembers: (revision: number) => boolean;
  /** Continues in the cache. */
  readonly join: (afterRevision: number) => Watch;
}

/** Watches the underlying store until the cache has every following event, then the cache. */
export function openCatchUpWatch(options: CatchUpOptions, observer: WatchObserver): Watch {
  const { store, prefix, options: watched, shared, remembers, join } = options;
  let ended = false;
  const arrive = (revision: number): void => {
    if (ended || !remembers(revision)) return;
    watch[Symbol.dispose]();
    watch = join(revision);
  };
  let watch = store.watch(prefix, watched, {
    events: (batch) => {
      observer.events(batch.map((event) => withShared(event, shared)));
      arrive((batch.at(-1) as KeyValueEvent).revision);
    },
    progress: (revision) => {
      observer.progress?.(revision);
      arrive(revision);
    },
    error: (error) => observer.error(error),
  });
  if (store.supports.progress) store.requestProgress?.(prefix);
  return {
    get delivered() {
      return watch.delivered;
    },
    [Symbol.dispose]: (): void => {
      ended = true;
      watch[Symbol.dispose]();
    },
  };
}

function withShared(event: KeyValueEvent, shared: (entry: Entry) => Entry): KeyValueEvent {
  const entry = event.entry && shared(event.entry);
  return entry && entry !== event.entry ? { ...event, entry } : event;
}
