import type { Clock, Timer } from '@ashlar/core';
import { type KeyValueEvent, RevisionCompactedError } from '@ashlar/storage';
import { type ChangeRow, toEvent, toRevision } from './rows.ts';
import { type Listen, SteadyListening } from './steady-listening.ts';

/** Changes that are read at once. */
export const CHANGES_AT_ONCE = 500;
/** How often changes are read without a notification, which a proxy may lose. */
const POLL_MILLISECONDS = 5000;

/** Receives what happens in the database. */
export interface FeedObserver {
  /** All changes after the position before, up to this one. */
  changes(events: readonly KeyValueEvent[], position: number): void;
  /** Changes are lost: they have been compacted before they were read. */
  lost(error: RevisionCompactedError, position: number): void;
}

/** The database, as the feed needs it. */
export interface FeedSource {
  /** Reads changes of all keys after a revision. */
  read(after: number): Promise<readonly ChangeRow[]>;
  /** Connects to the notifications of other servers. */
  readonly listen: Listen;
}

/** Follows all changes of the database, whoever makes them, in order of their revisions. */
export class ChangeFeed implements Disposable {
  readonly #source: FeedSource;
  readonly #clock: Clock;
  readonly #observer: FeedObserver;
  #position: number;
  #reading: Promise<void> | undefined;
  /** Whether something may have changed since the current read began. */
  #again = false;
  readonly #listening: SteadyListening;
  #timer: Timer | undefined;
  #closed = false;

  /** @param position revision from which on changes are delivered */
  constructor(source: FeedSource, clock: Clock, observer: FeedObserver, position: number) {
    this.#source = source;
    this.#clock = clock;
    this.#observer = observer;
    this.#position = position;
    this.#listening = new SteadyListening(source.listen, clock, this.readSoon);
  }

  /** Revision up to which all changes have been delivered. */
  get position(): number {
    return this.#position;
  }

  /** Reads until everything that was committed before this call has been delivered. @throws errors of the database */
  async catchUp(): Promise<void> {
    // a read that has begun may have missed it
    await this.#reading?.catch(() => {});
    await this.#read();
  }

  /**
   * Takes changes that this server made, which need not be read. Their revisions follow each other. If others have made changes before
   * them, all are read.
   */
  take(events: readonly KeyValueEvent[]): void {
    if (this.#closed) return;
    const newEvents = events.filter(({ revision }) => revision > this.#position);
    const [first] = newEvents;
    if (!first) return;
    if (first.revision !== this.#position + 1) {
      this.readSoon();
      return;
    }
    this.#position = (newEvents.at(-1) as KeyValueEvent).revision;
    this.#observer.changes(newEvents, this.#position);
  }

  /** Something may have changed. */
  readonly readSoon = (): void => {
    this.#timer?.clear();
    if (this.#closed) return;
    this.#timer = this.#clock.setTimer(POLL_MILLISECONDS, this.readSoon);
    if (this.#reading) this.#again = true;
    // what fails is tried again by the next notification or poll
    else void this.#read().catch(() => {});
  };

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#timer?.clear();
    this.#listening[Symbol.dispose]();
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
      if (this.#again && !this.#closed) this.readSoon();
    });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    this.#again = false;
    for (let isBehind = true; isBehind && !this.#closed; ) isBehind = await this.#readSome();
  }

  /** Returns whether there are more changes. */
  async #readSome(): Promise<boolean> {
    const rows = await this.#source.read(this.#position);
    if (this.#closed) return false;
    const [state] = rows as [ChangeRow];
    const [revision, compacted] = [toRevision(state[0]), toRevision(state[1])];
    if (this.#position < compacted) {
      const error = new RevisionCompactedError(this.#position, compacted);
      this.#position = compacted;
      this.#observer.lost(error, compacted);
      return true;
    }
    const events = rows.filter(([, , changed]) => changed !== null).map(toEvent);
    const isBehind = events.length === CHANGES_AT_ONCE;
    const reached = isBehind ? (events.at(-1) as KeyValueEvent).revision : revision;
    // meanwhile this server may have written some of them
    const newEvents = events.filter((event) => event.revision > this.#position);
    this.#position = Math.max(this.#position, reached);
    this.#observer.changes(newEvents, this.#position);
    return isBehind;
  }
}
