import type { Entry, KeyValueEvent } from '@ashlar/storage';

/**
 * Entries that writes have answered with before the feed told of them: what the layer above has made of them should not be
 * made again for the event.
 */
export class WrittenEntries {
  readonly #byRevision: Map<number, Entry> = new Map();

  add(entry: Entry): void {
    this.#byRevision.set(entry.revision, entry);
  }

  /** The batch with the entries that are known in the place of theirs. */
  adopt(batch: readonly KeyValueEvent[]): readonly KeyValueEvent[] {
    if (this.#byRevision.size === 0) return batch;
    return batch.map((event) => {
      const entry = this.#byRevision.get(event.revision);
      if (!entry || entry === event.entry || event.type !== 'put' || entry.key !== event.key) return event;
      return { ...event, entry };
    });
  }

  /** Forgets what the feed has told of. */
  reached(revision: number): void {
    for (const written of this.#byRevision.keys()) if (written <= revision) this.#byRevision.delete(written);
  }
}
