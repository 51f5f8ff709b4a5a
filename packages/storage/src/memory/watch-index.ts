import { toError } from '@ashlar/core';
import type { EntryCondition } from '../contracts/entry-selection.ts';
import type { KeyValueEvent, WatchObserver, WatchOptions } from '../contracts/key-value-store.ts';
import { inMicrotask } from '../objects/in-microtask.ts';
import { type Batch, type Watcher, WatcherGroup } from './watcher-group.ts';

/** Number of events whose caches are kept for watchers that have not asked for them yet. */
const MAXIMUM_CACHED = 256;

/**
 * Delivers events to watchers, which are found by prefix and by indexed condition, so that the cost of an event depends only on the
 * watchers that receive it. The events of one turn of the event loop are delivered in one batch, in a microtask: before the caller of the
 * write continues, and never during the write.
 */
export class WatchIndex {
  readonly #byPrefix: Map<string, WatcherGroup> = new Map();
  /** Watchers whose observers support progress. */
  readonly #listeners: Set<Watcher> = new Set();
  #size: number = 0;
  #waiting: Watcher[] = [];
  /** Events that some may not have received; afterwards caches of superseded values are cleared. */
  readonly #dispatched: KeyValueEvent[] = [];
  /** Number of watchers that have been told of events, and have not asked for them yet. */
  #announced: number = 0;
  #scheduled: boolean = false;

  /**
   * Starts a watch below a prefix. `backlog` is delivered first; events up to `after` are skipped.
   */
  add(
    prefix: string,
    options: WatchOptions,
    observer: WatchObserver,
    backlog: readonly KeyValueEvent[],
  ): Disposable & { readonly next: KeyValueEvent | undefined } {
    const { afterRevision, concerning } = options;
    const watcher = newWatcher(afterRevision, observer);
    if (backlog.length > 0) watcher.pending.push({ events: [...backlog], isOpen: false });
    let group = this.#byPrefix.get(prefix);
    if (!group) {
      group = new WatcherGroup();
      this.#byPrefix.set(prefix, group);
    }
    group.add(watcher, concerning);
    this.#size++;
    if (observer.progress) this.#listeners.add(watcher);
    if (backlog.length > 0) this.#wake(watcher);
    return {
      get next() {
        return watcher.pending[0]?.events[0];
      },
      [Symbol.dispose]: (): void => {
        watcher.ended = true;
        this.#forget(prefix, watcher, concerning);
        this.#deliver(watcher);
      },
    };
  }

  /** Returns a watch that fails before it has started. */
  refuse(observer: WatchObserver, failure: Error): Disposable {
    const watcher = newWatcher(0, observer);
    watcher.failure = failure;
    this.#wake(watcher);
    return {
      [Symbol.dispose]: (): void => {
        watcher.ended = true;
      },
    };
  }

  /** Delivers an event to the watchers of its key and of every prefix of it. */
  dispatch(event: KeyValueEvent): void {
    const { key } = event;
    if (this.#dispatched.push(event) === 1) this.#schedule();
    if (this.#byPrefix.size === 0) return;
    this.#offer('', event);
    for (let at = key.indexOf('/'); at >= 0; at = key.indexOf('/', at + 1)) {
      this.#offer(key.slice(0, at + 1), event);
    }
    if (!key.endsWith('/')) this.#offer(key, event);
  }

  /** Number of open watches. */
  get size(): number {
    return this.#size;
  }

  /** Reports progress up to a revision, after the events before it. */
  progress(revision: number): void {
    for (const watcher of this.#listeners) {
      if (revision <= watcher.after) continue;
      if (watcher.pending.length === 0 && watcher.progress === undefined) this.#wake(watcher);
      watcher.progress = revision;
    }
  }

  /** Ends all watches. */
  fail(failure: Error): void {
    const watchers = [...this.#byPrefix.values()].flatMap((group) => group.watchers());
    this.#byPrefix.clear();
    this.#listeners.clear();
    this.#size = 0;
    for (const watcher of watchers) {
      watcher.failure = failure;
      this.#wake(watcher);
    }
  }

  #offer(prefix: string, event: KeyValueEvent): void {
    const group = this.#byPrefix.get(prefix);
    if (!group) return;
    for (const watcher of group.prompt) this.#add(watcher, event);
    if (group.patient.size > 0) this.#addForAll(group, event);
    if (group.isConditional) group.visitConcerned(event, (watcher) => this.#add(watcher, event));
  }

  #addForAll(group: WatcherGroup, event: KeyValueEvent): void {
    if (group.shared?.isOpen) {
      group.shared.events.push(event);
      return;
    }
    const batch = batchOf(event);
    let isForAll = true;
    for (const watcher of group.patient) {
      if (event.revision > watcher.after) this.#append(watcher, batch);
      else isForAll = false;
    }
    group.shared = isForAll ? batch : undefined;
  }

  #add(watcher: Watcher, event: KeyValueEvent): void {
    const last = watcher.pending.at(-1);
    // a watcher that is found by several terms receives the event once
    if (event.revision <= watcher.after || last?.events.at(-1) === event) return;
    if (last) last.events.push(event);
    else this.#append(watcher, batchOf(event));
  }

  #append(watcher: Watcher, batch: Batch): void {
    if (watcher.pending.length === 0 && watcher.progress === undefined) this.#wake(watcher);
    watcher.pending.push(batch);
  }

  #wake(watcher: Watcher): void {
    if (this.#waiting.push(watcher) === 1) this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    inMicrotask(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    const watchers = this.#waiting;
    this.#waiting = [];
    for (const watcher of watchers) {
      if (watcher.observer.arrived && !watcher.failure && !watcher.ended) this.#announce(watcher);
      else this.#deliver(watcher);
    }
    this.#clearCaches();
  }

  #announce(watcher: Watcher): void {
    if (!watcher.isAnnounced) this.#announced++;
    watcher.isAnnounced = true;
    try {
      watcher.observer.arrived?.(() => this.#deliver(watcher));
    } catch (error) {
      watcher.failure = toError(error);
      this.#deliver(watcher);
    }
  }

  #deliver(watcher: Watcher): void {
    if (watcher.isAnnounced) {
      watcher.isAnnounced = false;
      this.#announced--;
      // clears the caches once nobody needs them
      if (this.#announced === 0) this.#schedule();
    }
    deliver(watcher);
  }

  #clearCaches(): void {
    const retained = this.#announced === 0 ? 0 : MAXIMUM_CACHED;
    const count = this.#dispatched.length - retained;
    if (count > 0) this.#dispatched.splice(0, count).forEach(forget);
  }

  #forget(prefix: string, watcher: Watcher, concerning: EntryCondition | undefined): void {
    const group = this.#byPrefix.get(prefix);
    if (!group?.remove(watcher, concerning)) return;
    this.#size--;
    this.#listeners.delete(watcher);
    if (group.isEmpty) this.#byPrefix.delete(prefix);
  }
}

/** Clears caches of superseded values, which the history would retain for minutes. */
function forget(event: KeyValueEvent): void {
  event.memo = undefined;
  if (event.previous) event.previous.memo = undefined;
}

const batchOf = (event: KeyValueEvent): Batch => ({ events: [event], isOpen: true });

function newWatcher(after: number, observer: WatchObserver): Watcher {
  return {
    after,
    observer,
    pending: [],
    isAnnounced: false,
    progress: undefined,
    failure: undefined,
    ended: false,
  };
}

function deliver(watcher: Watcher): void {
  const { pending, progress, observer } = watcher;
  watcher.pending = [];
  watcher.progress = undefined;
  if (watcher.ended) return;
  try {
    for (const batch of pending) {
      batch.isOpen = false;
      if (!watcher.ended) observer.events(batch.events);
    }
    if (progress !== undefined && !watcher.ended) observer.progress?.(progress);
  } catch (error) {
    watcher.failure ??= toError(error);
  }
  if (watcher.failure && !watcher.ended) end(watcher, watcher.failure);
}

/** Calls an observer; if it throws, the others still receive the event. */
function end(watcher: Watcher, failure: Error): void {
  watcher.ended = true;
  try {
    watcher.observer.error(failure);
  } catch {
    // an exception of an observer in `error` affects no other
  }
}
