import type { Entry, KeyValueEvent } from '@ashlar/storage';

/** Entries returned by writes before the feed received them: their caches should be reused for the event. */
export class WrittenEntries {
  readonly #byRevision: Map<number, Entry> = new Map();

  add(entry: Entry): void {
    this.#byRevision.set(entry.revision, entry);
  }

  /** The batch with known entries in the place of equal ones. */
  adopt(batch: readonly KeyValueEvent[]): readonly KeyValueEvent[] {
    if (this.#byRevision.size === 0) return batch;
    return batch.map((event) => {
      const entry = this.#byRevision.get(event.revision);
      if (!entry || entry === event.entry || event.type !== 'put' || entry.key !== event.key) return event;
      return { ...event, entry };
    });
  }

  /** Forgets entries that the feed has received. */
  reached(revision: number): void {
    for (const written of this.#byRevision.keys()) if (written <= revision) this.#byRevision.delete(written);
  }
}
