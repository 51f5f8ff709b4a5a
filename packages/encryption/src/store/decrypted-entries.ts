import { type Ambient, type MaybePromise, runInSlices, type Steps } from '@ashlar/core';
import { type Entry, type KeyValueEvent, ValueTransformError } from '@ashlar/storage';
import type { ReadValue } from '../values/value-transformer.ts';
import type { StoredTypes } from './stored-types.ts';

const OPEN_BRACE = 0x7b;
/** Encrypted bytes between pauses, and what an entry counts besides its bytes. */
const STEP_BYTES = 65_536;
const ENTRY_BYTES = 1024;
const NO_BYTES = new Uint8Array();

/** What is kept at an entry of the engine. */
interface DecryptedEntry {
  readonly by: DecryptedEntries;
  readonly entry: Entry;
}

/** What is kept at an event of the engine. */
interface DecryptedEvent {
  readonly by: DecryptedEntries;
  readonly event: KeyValueEvent;
}

/**
 * Decrypts entries with one configuration: each once, as long as the engine returns the same entry. What cannot be read becomes an entry
 * with a fault, and is tried again with the next read.
 */
export class DecryptedEntries {
  readonly types: StoredTypes;
  readonly #ambient: Pick<Ambient, 'clock' | 'turns'>;
  readonly #pending: WeakMap<Entry, Promise<Entry>> = new WeakMap();

  constructor(types: StoredTypes, ambient: Pick<Ambient, 'clock' | 'turns'>) {
    this.types = types;
    this.#ambient = ambient;
  }

  /** Remembers the plaintext of a value that was just written. */
  written(stored: Entry, plaintext: Uint8Array): Entry {
    const { key, revision } = stored;
    // its event may have been read before
    return (
      this.#remembered(stored) ?? this.#remember(stored, { key, value: plaintext, revision, memo: undefined })
    );
  }

  /** Whether reading an entry may fail, or give something else with another configuration. */
  isEncrypted(entry: Entry): boolean {
    return entry.value[0] !== OPEN_BRACE || this.types.of(entry.key)?.isConfigured === true;
  }

  /** Returns an entry with its plaintext; synchronous unless a key service must be called. */
  read(entry: Entry): MaybePromise<Entry> {
    return this.#cached(entry) ?? this.#pending.get(entry) ?? this.#decrypt(entry);
  }

  /** As `read`, for many entries: short work is synchronous, other requests run while longer work goes on. */
  readAll(entries: readonly Entry[]): MaybePromise<readonly Entry[]> {
    const cached = this.#allCached(entries);
    if (cached) return cached;
    const read = runInSlices(this.#readSteps(entries), this.#ambient);
    return read instanceof Promise ? read.then(allOf) : allOf(read);
  }

  /** Returns events with their entries decrypted; all watches get the same. */
  readEvents(batch: readonly KeyValueEvent[]): MaybePromise<readonly KeyValueEvent[]> {
    const entries = batch.flatMap(({ entry, previous }) => [
      ...(entry ? [entry] : []),
      ...(previous ? [previous] : []),
    ]);
    const eventsOf = (read: readonly Entry[]): readonly KeyValueEvent[] => {
      const decrypted = new Map(entries.map((entry, index) => [entry, read[index] as Entry]));
      return batch.map((event) => this.#eventOf(event, decrypted));
    };
    const read = this.readAll(entries);
    return read instanceof Promise ? read.then(eventsOf) : eventsOf(read);
  }

  #eventOf(event: KeyValueEvent, decrypted: ReadonlyMap<Entry, Entry>): KeyValueEvent {
    const entry = event.entry && decrypted.get(event.entry);
    const previous = event.previous && decrypted.get(event.previous);
    if (entry === event.entry && previous === event.previous) return event;
    const memo = event.memo as DecryptedEvent | undefined;
    if (memo?.by === this && memo.event.entry === entry && memo.event.previous === previous)
      return memo.event;
    const { type, key, revision } = event;
    const decryptedEvent: KeyValueEvent = {
      ...{ type, key, revision },
      ...(entry && { entry }),
      ...(previous && { previous }),
      memo: undefined,
    };
    event.memo = { by: this, event: decryptedEvent } satisfies DecryptedEvent;
    return decryptedEvent;
  }

  /** The entries if none must be decrypted, as in most lists. */
  #allCached(entries: readonly Entry[]): readonly Entry[] | undefined {
    const cached: Entry[] = [];
    for (const entry of entries) {
      const read = this.#cached(entry);
      if (!read) return undefined;
      cached.push(read);
    }
    return cached;
  }

  *#readSteps(entries: readonly Entry[]): Steps<readonly MaybePromise<Entry>[]> {
    const read: MaybePromise<Entry>[] = [];
    let bytes = 0;
    for (const entry of entries) {
      const cached = this.#cached(entry);
      read.push(cached ?? this.read(entry));
      if (cached) continue;
      bytes += entry.value.length + ENTRY_BYTES;
      if (bytes < STEP_BYTES) continue;
      bytes = 0;
      yield;
    }
    return read;
  }

  /** What was decrypted before, or is stored as it is. */
  #cached(entry: Entry): Entry | undefined {
    const cached = this.#remembered(entry);
    if (cached || entry.value[0] !== OPEN_BRACE) return cached;
    return this.types.of(entry.key)?.isConfigured ? undefined : entry;
  }

  #decrypt(entry: Entry): MaybePromise<Entry> {
    const type = this.types.of(entry.key);
    if (!type) return entry;
    const done = (read: ReadValue): Entry => this.#decrypted(entry, read);
    try {
      const authenticated = this.types.authenticated(entry.key);
      const read = type.transformer.fromStorage(entry.value, authenticated, type.resource);
      return read instanceof Promise ? this.#wait(entry, read.then(done)) : done(read);
    } catch (error) {
      return faulty(entry, error);
    }
  }

  #wait(entry: Entry, read: Promise<Entry>): Promise<Entry> {
    const waiting = read.catch((error) => faulty(entry, error)).finally(() => this.#pending.delete(entry));
    this.#pending.set(entry, waiting);
    return waiting;
  }

  #decrypted(entry: Entry, { plaintext, isStale }: ReadValue): Entry {
    const { key, revision } = entry;
    const stale = isStale ? { isStale } : {};
    return this.#remember(entry, { key, value: plaintext, revision, ...stale, memo: undefined });
  }

  #remembered({ memo }: Entry): Entry | undefined {
    const cached = memo as DecryptedEntry | undefined;
    return cached?.by === this ? cached.entry : undefined;
  }

  #remember(stored: Entry, entry: Entry): Entry {
    stored.memo = { by: this, entry } satisfies DecryptedEntry;
    return entry;
  }
}

function faulty({ key, revision }: Entry, error: unknown): Entry {
  const fault = new ValueTransformError((error as Error).message, { cause: error });
  return { key, revision, value: NO_BYTES, fault, memo: undefined };
}

/** Waits for values only if one of them is a promise. */
function allOf<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}
