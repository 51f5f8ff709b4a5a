import { type Ambient, andThen, type MaybePromise, orElse } from '@ashlar/core';
import {
  type Entry,
  type KeyValueStore,
  type PutOptions,
  type RangeOptions,
  type RangeResult,
  rangeSelected,
  type StoreCapabilities,
  type StoreUsage,
  selects,
  ValueTransformError,
  type Watch,
  type WatchObserver,
  type WatchOptions,
  type WriteResult,
} from '@ashlar/storage';
import type { Encryption } from '../configuration/create-encryption.ts';
import { DecryptedEntries } from './decrypted-entries.ts';
import { DecryptedSelections } from './decrypted-selection.ts';
import { DecryptingObserver } from './decrypting-observer.ts';
import { StoredTypes, type StoredTypesOptions } from './stored-types.ts';

/** Options of an encrypted store. */
export interface EncryptedStoreOptions extends StoredTypesOptions {
  /** The configuration in use; it may be exchanged at any time. */
  readonly encryption: { readonly current: Encryption };
  /** Schedules the decryption of many values between short requests. */
  readonly ambient: Pick<Ambient, 'clock' | 'turns'>;
}

/**
 * Wraps a store so that values are encrypted in it, and read as plaintext. It also wraps watch caches, which then hold encrypted values.
 * A value that cannot be read becomes an entry with a `fault`: others can be read, listed and watched as before. Values of entries are
 * decrypted once; reads are synchronous where those of the store are, unless a key service must decrypt a data key first.
 *
 * @example
 * const store = createEncryptedStore(createMemoryStore({ clock }), { encryption: { current: encryption }, ambient });
 * await store.put('/secrets/default/a', bytes); // is `k8s:enc:…` in memory
 */
export function createEncryptedStore(store: KeyValueStore, options: EncryptedStoreOptions): KeyValueStore {
  return new EncryptedStore(store, options);
}

/** What belongs to one configuration. */
interface Reading {
  readonly encryption: Encryption;
  readonly entries: DecryptedEntries;
  readonly selections: DecryptedSelections;
}

class EncryptedStore implements KeyValueStore {
  readonly supports: StoreCapabilities;
  readonly requestProgress?: (prefix?: string) => void;
  readonly reachedRevision?: () => number;
  readonly check?: () => MaybePromise<void>;
  readonly usage?: () => StoreUsage;
  readonly fork?: () => KeyValueStore;
  readonly #store: KeyValueStore;
  readonly #options: EncryptedStoreOptions;
  #reading: Reading;

  constructor(store: KeyValueStore, options: EncryptedStoreOptions) {
    const { requestProgress, reachedRevision, check, usage, fork } = store;
    this.supports = store.supports;
    this.#store = store;
    this.#options = options;
    this.#reading = this.#read(options.encryption.current);
    if (requestProgress) this.requestProgress = (prefix) => requestProgress.call(store, prefix);
    if (reachedRevision) this.reachedRevision = () => reachedRevision.call(store);
    if (check) this.check = () => check.call(store);
    if (usage) this.usage = () => usage.call(store);
    if (fork) this.fork = () => new EncryptedStore(fork.call(store), options);
  }

  get(key: string, options?: { readonly notOlderThan?: number }): MaybePromise<Entry | undefined> {
    return andThen(this.#store.get(key, options), (entry) => entry && this.#entries.read(entry));
  }

  range(prefix: string, options: RangeOptions = {}): MaybePromise<RangeResult> {
    const { select, ...rest } = options;
    const { entries, selections } = this.#current;
    const innerOptions = select ? { ...rest, select: selections.over(select) } : rest;
    return andThen(this.#store.range(prefix, innerOptions), (result) =>
      andThen(entries.readAll(result.entries), (read) => {
        // not what the inner store shares: other keys may read the same entries differently
        const found = { entries: read, remaining: result.remaining, revision: result.revision };
        if (!select || !selections.isInexact || read.every((entry) => selects(select, entry))) return found;
        return rangeSelected(this.#withoutIndexes(), prefix, options);
      }),
    );
  }

  put(key: string, value: Uint8Array, options?: PutOptions): MaybePromise<WriteResult> {
    const { entries } = this.#current;
    const type = entries.types.of(key);
    const stored = type?.isConfigured
      ? orElse(
          () => type.transformer.toStorage(value, entries.types.authenticated(key), type.resource),
          transformError,
        )
      : value;
    return andThen(stored, (bytes) =>
      andThen(this.#store.put(key, bytes, options), (result) => {
        if (result.ok && result.entry && bytes !== value) entries.written(result.entry, value);
        return readResult(entries, result);
      }),
    );
  }

  delete(key: string, options?: { readonly ifRevision?: number }): MaybePromise<WriteResult> {
    const { entries } = this.#current;
    return andThen(this.#store.delete(key, options), (result) => readResult(entries, result));
  }

  watch(prefix: string, { afterRevision, concerning }: WatchOptions, observer: WatchObserver): Watch {
    const { selections } = this.#current;
    const decrypting = new DecryptingObserver(observer, (batch) => this.#entries.readEvents(batch));
    const options = {
      afterRevision,
      ...(concerning && { concerning: selections.condition(concerning.index, concerning.anyOf) }),
    };
    return decrypting.watchOf(this.#store.watch(prefix, options, decrypting));
  }

  currentRevision(): MaybePromise<number> {
    return this.#store.currentRevision();
  }

  compact(revision: number): MaybePromise<void> {
    return this.#store.compact(revision);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#store[Symbol.asyncDispose]();
  }

  get #entries(): DecryptedEntries {
    return this.#current.entries;
  }

  /** What is read belongs to the configuration: another one may know other keys, and call others stale. */
  get #current(): Reading {
    const { current } = this.#options.encryption;
    if (this.#reading.encryption !== current) this.#reading = this.#read(current);
    return this.#reading;
  }

  #read(encryption: Encryption): Reading {
    const types = new StoredTypes(encryption, this.#options);
    const entries = new DecryptedEntries(types, this.#options.ambient);
    return { encryption, entries, selections: new DecryptedSelections(entries) };
  }

  /** Reads page by page and matches what was read. */
  #withoutIndexes(): KeyValueStore {
    return {
      ...(this as KeyValueStore),
      supports: { ...this.supports, selection: false },
      range: (prefix, options) => this.range(prefix, options),
    };
  }
}

const transformError = (error: unknown): ValueTransformError =>
  new ValueTransformError((error as Error).message, { cause: error });

function readResult(entries: DecryptedEntries, result: WriteResult): MaybePromise<WriteResult> {
  if (!result.ok) {
    const { current } = result;
    return current ? andThen(entries.read(current), (read) => ({ ...result, current: read })) : result;
  }
  const { entry, previous } = result;
  const present = [...(entry ? [entry] : []), ...(previous ? [previous] : [])];
  return andThen(entries.readAll(present), (read) => ({
    ...result,
    ...(entry && { entry: read[0] as Entry }),
    ...(previous && { previous: read.at(-1) as Entry }),
  }));
}
