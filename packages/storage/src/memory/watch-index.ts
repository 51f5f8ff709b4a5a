import type { EntryCondition } from '../contracts/entry-selection.ts';
import type { KeyValueEvent, WatchObserver, WatchOptions } from '../contracts/key-value-store.ts';
import { type Watcher, WatcherGroup } from './watcher-group.ts';

/**
 * Brings events to those who listen to them. Watchers are found by prefix and by what they are concerned with, so that an event
 * costs what its listeners cost. Everything that happens in one turn of the event loop is delivered in one batch, in a microtask: before
 * whoever waits for the write goes on, and never inside the write.
 */
export class WatchIndex {
  readonly #byPrefix: Map<string, WatcherGroup> = new Map();
  /** Those whose observers listen to progress. */
  readonly #listeners: Set<Watcher> = new Set();
  #size: number = 0;
  #waiting: Watcher[] = [];
  /** Events of this turn, in which what was derived from superseded values is let go of. */
  #dispatched: KeyValueEvent[] = [];
  #scheduled: boolean = false;

  /**
   * Starts a watch below a prefix. `backlog` is delivered first; events up to `after` are left out, however late they come. What
   * it returns says which event its observer waits for, if any.
   */
  add(
    prefix: string,
    options: WatchOptions,
    observer: WatchObserver,
    backlog: readonly KeyValueEvent[],
  ): Disposable & { readonly next: KeyValueEvent | undefined } {
    const { afterRevision, concerning } = options;
    const watcher = newWatcher(afterRevision, observer);
    watcher.pending.push(...backlog);
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
        return watcher.pending[0];
      },
      [Symbol.dispose]: (): void => {
        watcher.ended = true;
        this.#forget(prefix, watcher, concerning);
      },
    };
  }

  /** A watch that ends with an error before it has begun. */
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

  /** Hands an event to the watchers of its key and of every prefix of it. */
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

  /** How many watches are open. */
  get size(): number {
    return this.#size;
  }

  /** Tells those who listen to it, behind the events before, that nothing else has happened up to a revision. */
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
    for (const watcher of group.unconditional) this.#tell(watcher, event);
    if (group.isConditional) group.visitConcerned(event, (watcher) => this.#tell(watcher, event));
  }

  #tell(watcher: Watcher, event: KeyValueEvent): void {
    // whoever is found by several terms has been told already
    if (event.revision <= watcher.after || watcher.pending.at(-1) === event) return;
    if (watcher.pending.length === 0 && watcher.progress === undefined) this.#wake(watcher);
    watcher.pending.push(event);
  }

  #wake(watcher: Watcher): void {
    if (this.#waiting.push(watcher) === 1) this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    const watchers = this.#waiting;
    const dispatched = this.#dispatched;
    this.#waiting = [];
    this.#dispatched = [];
    for (const watcher of watchers) deliver(watcher);
    dispatched.forEach(forget);
  }

  #forget(prefix: string, watcher: Watcher, concerning: EntryCondition | undefined): void {
    const group = this.#byPrefix.get(prefix);
    if (!group?.remove(watcher, concerning)) return;
    this.#size--;
    this.#listeners.delete(watcher);
    if (group.isEmpty) this.#byPrefix.delete(prefix);
  }
}

/** History is kept for minutes: what was derived from superseded values would be, too. */
function forget(event: KeyValueEvent): void {
  event.memo = undefined;
  if (event.previous) event.previous.memo = undefined;
}

function newWatcher(after: number, observer: WatchObserver): Watcher {
  return { after, observer, pending: [], progress: undefined, failure: undefined, ended: false };
}

function deliver(watcher: Watcher): void {
  const { pending, progress, observer } = watcher;
  watcher.pending = [];
  watcher.progress = undefined;
  if (watcher.ended) return;
  try {
    if (pending.length > 0) observer.events(pending);
    if (progress !== undefined && !watcher.ended) observer.progress?.(progress);
  } catch (error) {
    watcher.failure ??= error instanceof Error ? error : new Error(String(error));
  }
  if (watcher.failure && !watcher.ended) end(watcher, watcher.failure);
}

/** An observer that throws must not keep the others from hearing. */
function end(watcher: Watcher, failure: Error): void {
  watcher.ended = true;
  try {
    watcher.observer.error(failure);
  } catch {
    // It has been told, and that it cannot bear it concerns nobody else.
  }
}
