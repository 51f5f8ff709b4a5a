import type {
  Entry,
  KeyValueEvent,
  KeyValueStore,
  Watch,
  WatchObserver,
  WatchOptions,
} from '@ashlar/storage';

/** A watch that begins before what the cache remembers. */
export interface CatchUpOptions {
  readonly store: KeyValueStore;
  readonly prefix: string;
  readonly options: WatchOptions;
  /** The entry that the cache has in the place of an equal one. */
  readonly held: (entry: Entry) => Entry;
  /** Whether the cache remembers everything behind a revision. */
  readonly remembers: (revision: number) => boolean;
  /** Goes on in the cache. */
  readonly join: (afterRevision: number) => Watch;
}

/** Watches the store below until the cache remembers what comes next, and the cache from then on. */
export function openCatchUpWatch(options: CatchUpOptions, observer: WatchObserver): Watch {
  const { store, prefix, options: watched, held, remembers, join } = options;
  let ended = false;
  const arrive = (revision: number): void => {
    if (ended || !remembers(revision)) return;
    watch[Symbol.dispose]();
    watch = join(revision);
  };
  let watch = store.watch(prefix, watched, {
    events: (batch) => {
      observer.events(batch.map((event) => withHeld(event, held)));
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

function withHeld(event: KeyValueEvent, held: (entry: Entry) => Entry): KeyValueEvent {
  const entry = event.entry && held(event.entry);
  return entry && entry !== event.entry ? { ...event, entry } : event;
}
