import type { KeyValueEvent } from '@ashlar/storage';
import type { WatchedChange, WatchResponse } from '../messages/watch-messages.ts';
import type { EtcdKeys } from './etcd-keys.ts';

/**
 * Turns what etcd sends into batches that end where a revision ends, each change once: a watch can then go on behind
 * its last batch. One revision has many changes where leased values end together, and fragments may part them.
 */
export class WatchBatches {
  readonly #keys: EtcdKeys;
  #position: number;
  /** Changes of the newest revision, while fragments with more of them may follow. */
  #held: readonly WatchedChange[] = [];

  /** @param after everything up to this revision is known already */
  constructor(keys: EtcdKeys, after: number) {
    this.#keys = keys;
    this.#position = after;
  }

  /** Everything up to this revision has been handed out. */
  get position(): number {
    return this.#position;
  }

  /** A new stream begins behind the position: what was held of the old one comes again. */
  restart(): void {
    this.#held = [];
  }

  /**
   * The events that are complete with this answer.
   * @throws RevisionCompactedError if what was before an event has been forgotten already
   */
  take({ events, fragment }: WatchResponse): readonly KeyValueEvent[] {
    const fresh = events.filter((change) => revisionOf(change) > this.#position);
    const changes = this.#held.length > 0 ? [...this.#held, ...fresh] : fresh;
    const newest = changes.at(-1);
    if (!newest) return [];
    const end = fragment
      ? changes.findIndex((change) => revisionOf(change) === revisionOf(newest))
      : changes.length;
    const complete = changes.slice(0, end).map((change) => this.#keys.eventOf(change, this.#position));
    this.#held = changes.slice(end);
    this.#position = complete.at(-1)?.revision ?? this.#position;
    return complete;
  }

  /** A notice that there is nothing else up to a revision. False where that is no news. */
  reach(revision: number): boolean {
    if (this.#held.length > 0 || revision <= this.#position) return false;
    this.#position = revision;
    return true;
  }
}

const revisionOf = ({ current }: WatchedChange): number => current?.modRevision ?? 0;
