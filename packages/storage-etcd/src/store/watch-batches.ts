import type { KeyValueEvent } from '@ashlar/storage';
import type { WatchedChange, WatchResponse } from '../messages/watch-messages.ts';
import type { EtcdKeys } from './etcd-keys.ts';

/**
 * Splits the events of etcd into batches that end at a revision, each change once: a watch can then continue
 * after its last batch. One revision has many changes if leases expire together, and fragments may separate
 * them.
 */
export class WatchBatches {
  readonly #keys: EtcdKeys;
  #position: number;
  /** Changes of the newest revision, while fragments with more of them may follow. */
  #pendingChanges: readonly WatchedChange[] = [];

  /** @param after everything up to this revision is already delivered */
  constructor(keys: EtcdKeys, after: number) {
    this.#keys = keys;
    this.#position = after;
  }

  /** Everything up to this revision has been returned. */
  get position(): number {
    return this.#position;
  }

  /** A new stream starts after the position: incomplete revisions are sent again. */
  restart(): void {
    this.#pendingChanges = [];
  }

  /**
   * The events that this response completes.
   * @throws RevisionCompactedError if the entry before an event has already been compacted
   */
  take({ events, fragment }: WatchResponse): readonly KeyValueEvent[] {
    const newChanges = events.filter((change) => revisionOf(change) > this.#position);
    const changes = this.#pendingChanges.length > 0 ? [...this.#pendingChanges, ...newChanges] : newChanges;
    const newest = changes.at(-1);
    if (!newest) return [];
    const end = fragment
      ? changes.findIndex((change) => revisionOf(change) === revisionOf(newest))
      : changes.length;
    const complete = changes.slice(0, end).map((change) => this.#keys.eventOf(change, this.#position));
    this.#pendingChanges = changes.slice(end);
    this.#position = complete.at(-1)?.revision ?? this.#position;
    return complete;
  }

  /** Progress up to a revision. False if that is not new. */
  reach(revision: number): boolean {
    if (this.#pendingChanges.length > 0 || revision <= this.#position) return false;
    this.#position = revision;
    return true;
  }
}

const revisionOf = ({ current }: WatchedChange): number => current?.modRevision ?? 0;
