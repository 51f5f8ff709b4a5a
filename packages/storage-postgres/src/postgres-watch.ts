import { toError } from '@ashlar/core';
import { type KeyValueEvent, RevisionCompactedError, type Watch, type WatchObserver } from '@ashlar/storage';
import { CHANGES_AT_ONCE } from './change-feed.ts';
import { isInPrefix } from './key-span.ts';
import { type ChangeRow, toEvent, toRevision } from './rows.ts';

/** Dependencies of a watch. */
export interface PostgresWatchOptions {
  readonly prefix: string;
  readonly afterRevision: number;
  readonly observer: WatchObserver;
  /** Reads changes of the prefix after a revision. */
  readonly read: (after: number) => Promise<readonly ChangeRow[]>;
  /** Waits before another attempt. */
  readonly pause: () => Promise<void>;
  /** Position of the feed that delivers to this watch. */
  readonly feedPosition: () => number;
  readonly toError: (error: unknown) => Error;
  /** Whether an error may pass. */
  readonly isPassing: (error: unknown) => boolean;
  /** Called once, when the watch has ended. */
  readonly ended: (watch: PostgresWatch) => void;
}

/**
 * One watch: it reads the changes since its start, and then gets those of the feed that all watches share. It survives lost connections,
 * since it knows the revision up to which it has delivered.
 */
export class PostgresWatch implements Watch {
  readonly prefix: string;
  /** Resolves when the past has been read, the watch has ended, or an attempt has failed after which it tries again. */
  readonly attempted: Promise<void>;
  readonly #options: PostgresWatchOptions;
  #position: number;
  #isLive = false;
  /** What the feed delivered while the past was read. */
  #meanwhile: KeyValueEvent[] = [];
  /** Changes up to this revision cannot come from the feed. */
  #lostUntil = 0;
  #hasEnded = false;

  constructor(options: PostgresWatchOptions) {
    this.#options = options;
    this.prefix = options.prefix;
    this.#position = options.afterRevision;
    this.attempted = new Promise((resolve) => void this.#begin(resolve));
  }

  get delivered(): number | undefined {
    return this.#isLive ? Math.max(this.#position, this.#options.feedPosition()) : undefined;
  }

  /** Delivers changes of the feed that belong to this watch. */
  receive(events: readonly KeyValueEvent[]): void {
    const own = events.filter(
      ({ key, revision }) => revision > this.#position && isInPrefix(key, this.prefix),
    );
    if (this.#isLive) this.#deliver(own);
    else this.#meanwhile.push(...own);
  }

  /** Reports that everything up to a revision has been delivered. */
  progress(revision: number): void {
    if (this.#isLive && revision >= this.#position) this.#notify((observer) => observer.progress?.(revision));
  }

  /** Ends a watch that depends on the feed, whose changes were lost. */
  lose(error: RevisionCompactedError): void {
    this.#lostUntil = error.oldest;
    if (this.#isLive && this.#position < error.oldest) this.fail(error);
  }

  /** Ends the watch with an error. */
  fail(error: Error): void {
    if (this.#hasEnded) return;
    this[Symbol.dispose]();
    try {
      this.#options.observer.error(error);
    } catch {
      // the listener has been notified; its exception does not affect others
    }
  }

  [Symbol.dispose](): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#isLive = false;
    this.#options.ended(this);
  }

  async #begin(attempted: () => void): Promise<void> {
    // the observer is not called before the caller has received the watch
    await Promise.resolve();
    while (!this.#hasEnded && !this.#isLive) {
      try {
        await this.#catchUp();
      } catch (error) {
        attempted();
        if (!this.#options.isPassing(error)) return this.fail(this.#options.toError(error));
        await this.#options.pause();
      }
    }
    attempted();
  }

  /**
   * Reads changes of the past, until they reach those of the feed: what the feed delivers during a read follows what is read, which is
   * never older than the feed was when the read began.
   */
  async #catchUp(): Promise<void> {
    this.#meanwhile = [];
    const rows = await this.#options.read(this.#position);
    if (this.#hasEnded) return;
    const [state] = rows as [ChangeRow];
    const [revision, compacted] = [toRevision(state[0]), toRevision(state[1])];
    if (this.#position < compacted) throw new RevisionCompactedError(this.#position, compacted);
    const events = rows.filter(([, , changed]) => changed !== null).map(toEvent);
    const isBehind = events.length === CHANGES_AT_ONCE;
    const reached = isBehind ? (events.at(-1) as KeyValueEvent).revision : revision;
    this.#deliver(events);
    this.#position = Math.max(this.#position, reached);
    if (isBehind || this.#position < this.#lostUntil) return;
    this.#deliver(this.#meanwhile.filter((event) => event.revision > this.#position));
    this.#meanwhile = [];
    this.#isLive = !this.#hasEnded;
  }

  #deliver(events: readonly KeyValueEvent[]): void {
    if (events.length === 0) return;
    this.#position = Math.max(this.#position, (events.at(-1) as KeyValueEvent).revision);
    this.#notify((observer) => observer.events(events));
  }

  /** The watch of an observer that throws is ended. */
  #notify(call: (observer: WatchObserver) => void): void {
    try {
      call(this.#options.observer);
    } catch (error) {
      this.fail(toError(error));
    }
  }
}
