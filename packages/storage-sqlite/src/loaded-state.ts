import { deleteEvent, type Entry, type HistoryOptions, MvccCore, putEvent } from '@ashlar/storage';
import type { StoredChange } from './change-batch.ts';

/** A lease read from the file. */
export interface StoredLease {
  readonly key: string;
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** Collects the rows of a file and creates the core from them. */
export class LoadedState {
  readonly #changes: StoredChange[] = [];

  add(change: StoredChange): void {
    this.#changes.push(change);
  }

  /**
   * The core with the newest state, and with the history that is still retained.
   *
   * @param trimmed the revision up to which the log was trimmed
   * @throws RangeError if revisions are missing
   */
  toCore(trimmed: number, options: HistoryOptions): MvccCore {
    const { clock, historyMilliseconds = 300_000 } = options;
    const cutoff = clock.now() - historyMilliseconds;
    let oldest = trimmed;
    const entries = new Map<string, Entry>();
    let at = 0;
    for (; at < this.#changes.length; at++) {
      const { revision, key, value, time } = this.#changes[at] as StoredChange;
      if (revision > trimmed && time > cutoff) break;
      if (value) entries.set(key, { key, value, revision, memo: undefined });
      else entries.delete(key);
      oldest = Math.max(oldest, revision);
    }
    const core = new MvccCore(options, { entries: entries.values(), revision: oldest });
    for (; at < this.#changes.length; at++) replay(core, this.#changes[at] as StoredChange, options);
    return core;
  }

  /** The leases that may still be active. */
  leases(): StoredLease[] {
    return this.#changes.flatMap(({ key, revision, deadline }) =>
      deadline === undefined ? [] : [{ key, revision, deadline }],
    );
  }
}

/** Times in the file are the calendar's, times in the core the monotonic clock's; none is in the future. */
function replay(
  core: MvccCore,
  { revision, key, value, time }: StoredChange,
  { clock }: HistoryOptions,
): void {
  const previous = core.get(key);
  const at = clock.monotonic() + Math.min(0, time - clock.now());
  if (value) core.apply(putEvent(key, value, revision, previous), at);
  else if (previous) core.apply(deleteEvent(previous, revision), at);
  else throw new RangeError(`revision ${revision} deletes a key that is not there`);
}
