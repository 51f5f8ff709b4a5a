import { andThen, type Clock, type MaybePromise, type Timer } from '@ashlar/core';
import {
  type HistoryOptions,
  type KeyValueEvent,
  type KeyValueStore,
  MvccCore,
  type RangeResult,
  RevisionCompactedError,
  StoreClosedError,
  type WatchObserver,
} from '@ashlar/storage';

/** The first pause before a retry, and the longest. */
const FIRST_PAUSE_MILLISECONDS = 50;
const LONGEST_PAUSE_MILLISECONDS = 5000;

/** How many revisions before the newest the first state is read, if that is still available. */
const FIRST_HISTORY = 1000;

/** Watches receive progress at most that often, unless it is requested. */
const PROGRESS_MILLISECONDS = 1000;

/** Dependencies of a feed. */
export interface CacheFeedOptions {
  readonly store: KeyValueStore;
  readonly prefix: string;
  readonly history: HistoryOptions;
  /** Replaces events of the watch with known entries. */
  readonly adopt: (batch: readonly KeyValueEvent[]) => readonly KeyValueEvent[];
  /** The core has everything up to that revision. */
  readonly reached: (revision: number) => void;
  /** The watch over the underlying store has been opened. */
  readonly began: () => void;
  /** The feed has ended for good. */
  readonly stopped: (error: Error) => void;
  /**
   * Called with the error when the feed stops following the underlying store, and with undefined once it
   * follows again.
   */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/**
 * Feeds the changes of the underlying store into a core: reads the newest state, and continues from there
 * with one watch. If the watch fails it is resumed; if that revision has been compacted the state is read
 * again.
 */
export class CacheFeed {
  readonly #options: CacheFeedOptions;
  readonly #clock: Clock;
  #core: MvccCore | undefined;
  #isReady: boolean = false;
  #watch: Disposable | undefined;
  #pausing: Timer | undefined;
  #pause: number = FIRST_PAUSE_MILLISECONDS;
  #stopped: Error | undefined;
  /** Why it does not follow the underlying store. */
  #fault: { readonly error: unknown } | undefined;
  #whenReady = new Set<{ readonly call: () => void }>();
  #events: number = 0;
  #loads: number = 0;
  #nextTelling: number = 0;

  constructor(options: CacheFeedOptions) {
    this.#options = options;
    this.#clock = options.history.clock;
  }

  /** The last known state; undefined before the first. */
  get core(): MvccCore | undefined {
    return this.#core;
  }

  /** Whether watches may be opened: false while there is no state, or one that cannot be continued from. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** @throws the error that prevents it from following the underlying store */
  requireFollowing(): void {
    if (this.#fault) throw this.#fault.error;
    if (this.#stopped) throw this.#stopped;
  }

  /** Whether it has ended for good. */
  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Number of received events, and of states read. */
  get counts(): { readonly events: number; readonly loads: number } {
    return { events: this.#events, loads: this.#loads };
  }

  /** Reads the initial state. */
  start(): void {
    this.#attempt(() => {
      const result = this.#core ? this.#readNewest() : this.#readRecent();
      if (!(result instanceof Promise)) this.#adoptState(result);
      else result.then((state) => this.#adoptState(state)).catch((error) => this.#failed(error));
    });
  }

  /**
   * Calls back when watches may be opened, or the feed has been stopped; returns a function that removes the
   * callback.
   */
  onReady(call: () => void): () => void {
    const waiting = { call };
    this.#whenReady.add(waiting);
    return () => void this.#whenReady.delete(waiting);
  }

  /** Ends the feed and all watches of the core. */
  stop(error: Error): void {
    if (this.isStopped) return;
    this.#stopped = error;
    this.#isReady = false;
    this.#pausing?.clear();
    this.#watch?.[Symbol.dispose]();
    this.#core?.fail(error);
    this.#notifyReady();
    this.#options.stopped(error);
  }

  #readNewest(): MaybePromise<RangeResult> {
    const { store, prefix } = this.#options;
    return store.range(prefix);
  }

  /**
   * An initial state somewhat back, so that watchers of another replica, or of the previous process, can
   * resume from memory. Without progress notifications the feed might not get from there to the newest
   * revision.
   */
  #readRecent(): MaybePromise<RangeResult> {
    const { store, prefix, history } = this.#options;
    if (!store.supports.progress) return this.#readNewest();
    const back = Math.min(FIRST_HISTORY, history.historyLimit ?? FIRST_HISTORY);
    return andThen(store.currentRevision(), async (newest) => {
      try {
        return await store.range(prefix, { atRevision: Math.max(1, newest - back) });
      } catch (error) {
        if (RevisionCompactedError.is(error)) return this.#readNewest();
        throw error;
      }
    });
  }

  #adoptState({ entries, revision }: RangeResult): void {
    if (this.#stopped) return;
    const old = this.#core;
    this.#loads++;
    // unchanged entries keep their caches
    const shared = entries.map((entry) => {
      const previous = old?.get(entry.key);
      return previous?.revision === entry.revision ? previous : entry;
    });
    old?.fail(new RevisionCompactedError(old.revision, revision));
    this.#core = new MvccCore(this.#options.history, { entries: shared, revision });
    this.#follow(this.#core);
    this.#isReady = true;
    this.#follows();
    this.#notifyReady();
    this.#options.reached(revision);
  }

  #follow(core: MvccCore): void {
    const { store, prefix, adopt, reached, began } = this.#options;
    const observer: WatchObserver = {
      events: (batch) => {
        this.#follows();
        this.#events += batch.length;
        core.follow(adopt(batch.filter(({ key }) => key.startsWith(prefix))));
        core.advance((batch.at(-1) as KeyValueEvent).revision);
        reached(core.revision);
      },
      progress: (revision) => {
        this.#follows();
        core.advance(revision);
        this.#reportProgress(core);
        reached(core.revision);
      },
      error: (error) => this.#ended(core, error),
    };
    // without progress notifications only foreign events prove that there were none below the prefix
    const watched = store.supports.progress ? prefix : '';
    this.#watch = store.watch(watched, { afterRevision: core.revision }, observer);
    began();
  }

  /** Notifications come with every read that had to wait: watches need not receive all. */
  #reportProgress(core: MvccCore): void {
    const now = this.#clock.monotonic();
    if (now < this.#nextTelling) return;
    this.#nextTelling = now + PROGRESS_MILLISECONDS;
    core.reportProgress();
  }

  /** Watchers are notified as they would be without a cache. */
  #ended(core: MvccCore, error: Error): void {
    if (this.#stopped) return;
    if (StoreClosedError.is(error)) this.stop(error);
    else if (RevisionCompactedError.is(error)) this.#restart(core, error.oldest);
    else {
      core.fail(error);
      this.#fails(error);
      this.#schedule(() => this.#follow(core));
    }
  }

  /** Events in between are lost: watchers must read the newest state, too. */
  #restart(core: MvccCore, oldest: number): void {
    this.#isReady = false;
    core.fail(new RevisionCompactedError(core.revision, oldest));
    this.start();
  }

  #failed(error: unknown): void {
    if (StoreClosedError.is(error)) this.stop(error);
    else {
      this.#fails(error);
      this.#schedule(() => this.start());
    }
  }

  /** A repeated error is reported once. */
  #fails(error: unknown): void {
    if (this.#stopped) return;
    const isFirst = this.#fault === undefined;
    this.#fault = { error };
    if (isFirst) this.#options.onFault?.(error);
  }

  #follows(): void {
    this.#pause = FIRST_PAUSE_MILLISECONDS;
    if (!this.#fault) return;
    this.#fault = undefined;
    this.#options.onFault?.(undefined);
  }

  #schedule(call: () => void): void {
    if (this.#stopped) return;
    this.#pausing = this.#clock.setTimer(this.#pause, () => this.#attempt(call));
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MILLISECONDS);
  }

  #attempt(call: () => void): void {
    if (this.#stopped) return;
    try {
      call();
    } catch (error) {
      this.#failed(error);
    }
  }

  #notifyReady(): void {
    const waiting = this.#whenReady;
    this.#whenReady = new Set();
    for (const { call } of waiting) call();
  }
}
