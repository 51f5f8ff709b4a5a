import {
  type ApiObject,
  andThen,
  type Clock,
  type MaybePromise,
  orElse,
  runInSlices,
  StatusError,
  type Turns,
} from '@ashlar/core';
import type { Entry } from '../contracts/entry.ts';
import type {
  KeyValueStore,
  RangeResult,
  StoreUsage,
  Watch,
  WriteResult,
} from '../contracts/key-value-store.ts';
import type {
  Change,
  ChangeFunction,
  ChangeResult,
  ListOptions,
  ListResult,
  ObjectObserver,
  ObjectStore,
  ObjectWatchOptions,
  ReadOptions,
} from '../contracts/object-store.ts';
import { toEntryCondition, toEntrySelection } from '../contracts/record-index.ts';
import { type ObjectCodec, ObjectRecord } from './object-record.ts';
import { rangeSelected } from './range-selected.ts';
import { recordOf, sharedRecords } from './record-of-entry.ts';
import { sameBytes } from './same-bytes.ts';
import { readError, tooLarge, writeError } from './store-errors.ts';
import { UnreadableObjectError, UnreadableResponses } from './unreadable-object.ts';
import { waitForRevision } from './wait-for-revision.ts';
import { WatchedEvents } from './watched-events.ts';
import { freezeWrittenSteps, isFrozenBefore } from './written-object.ts';

/** Options of an object store. */
export interface ObjectStoreOptions {
  readonly codec: ObjectCodec;
  /** Limits the wait for future revisions. */
  readonly clock: Clock;
  /** Schedules the encoding of large objects between short requests. */
  readonly turns?: Turns;
  /** Maximum object size, beyond which writes fail with 413; by default only the engine's limit applies. */
  readonly maxObjectBytes?: number;
  /** Whether errors tell objects that cannot be read from other errors, for servers where they may be deleted. Default false */
  readonly explainsUnreadable?: boolean;
}

/**
 * Creates an object store on an engine. Every get, list and watch of one stored value shares one {@link ObjectRecord}, which is cached at
 * the engine's entry; with a synchronous engine, get and list are synchronous.
 *
 * @example
 * const objects = createObjectStore(createMemoryStore({ clock }), { codec, clock });
 * await objects.update('/pods/default/a', (current) =>
 *   current ? { action: 'keep' } : { action: 'write', object: pod },
 * );
 */
export function createObjectStore(store: KeyValueStore, options: ObjectStoreOptions): ObjectStore {
  return new KeyValueObjectStore(store, options);
}

/** The result of calling a change: `requested` is absent if it threw. */
interface Decision {
  readonly requested?: Change;
  readonly bytes?: Uint8Array | undefined;
  readonly error?: unknown;
}

class KeyValueObjectStore implements ObjectStore {
  readonly #store: KeyValueStore;
  readonly #options: ObjectStoreOptions;
  readonly #toRecord: (entry: Entry) => ObjectRecord;
  readonly #toReadable: (entry: Entry | undefined) => ObjectRecord | undefined;
  readonly #unreadable: UnreadableResponses;
  readonly #events: WatchedEvents;

  constructor(store: KeyValueStore, options: ObjectStoreOptions) {
    this.#store = store;
    this.#options = options;
    this.#toRecord = (entry) => recordOf(entry, options.codec);
    this.#unreadable = new UnreadableResponses(options.explainsUnreadable === true);
    this.#events = new WatchedEvents(options.codec, this.#unreadable);
    this.#toReadable = (entry) => {
      const record = entry && recordOf(entry, options.codec);
      if (record?.fault) throw this.#unreadable.read(record.fault);
      return record;
    };
  }

  get(key: string, options?: ReadOptions): MaybePromise<ObjectRecord | undefined> {
    const { notOlderThan } = options ?? {};
    if (notOlderThan === undefined || !options) return andThen(this.#store.get(key), this.#toReadable);
    const read = () => this.#store.get(key, { notOlderThan });
    return andThen(andThen(this.#reached(options), read), this.#toReadable);
  }

  list(prefix: string, options: ListOptions = {}): MaybePromise<ListResult> {
    return andThen(this.#reached(options), () => this.#list(prefix, options));
  }

  #list(
    prefix: string,
    { select, signal: _, mustBeReached: __, onUnreadable, ...range }: ListOptions,
  ): MaybePromise<ListResult> {
    const selected = select ? { select: toEntrySelection(select, this.#options.codec), ...range } : range;
    const received = orElse(() => rangeSelected(this.#store, prefix, selected), readError);
    return andThen(received, ({ entries, shared, remaining, revision }: RangeResult) => {
      const identity = shared && sharedRecords(shared, this.#options.codec);
      if (identity) return { records: identity.records, identity, remaining, revision };
      const all = entries.map(this.#toRecord);
      const records = this.#readable(all, onUnreadable);
      const last = all.at(-1);
      return { records, ...(last?.fault && { lastKey: last.key }), remaining, revision };
    });
  }

  /** @throws StatusError 500 if some cannot be read, unless they are skipped */
  #readable(
    records: readonly ObjectRecord[],
    onUnreadable: ListOptions['onUnreadable'],
  ): readonly ObjectRecord[] {
    if (!records.some(hasFault)) return records;
    const faults = records.flatMap(({ fault }) => fault ?? []);
    if (!onUnreadable)
      throw this.#unreadable.list(faults as [UnreadableObjectError, ...UnreadableObjectError[]]);
    for (const fault of faults) onUnreadable(fault);
    return records.filter((record) => !hasFault(record));
  }

  async update(
    key: string,
    change: ChangeFunction,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<ChangeResult> {
    // a cached state saves a request: a write checks itself whether it is the newest, otherwise that is checked afterwards
    let isNewest = this.#store.reachedRevision === undefined;
    const read = this.#store.get(key, isNewest ? undefined : { notOlderThan: 0 });
    let entry = read instanceof Promise ? await read : read;
    for (;;) {
      const previous = entry && this.#toRecord(entry);
      const decided = this.#decide(change, previous);
      const { requested, bytes, error } = decided instanceof Promise ? await decided : decided;
      signal?.throwIfAborted();
      if (requested && !isNothing(requested, bytes, previous)) {
        const written = this.#write(key, previous?.revision ?? 0, requested, bytes);
        const result = written instanceof Promise ? await written : written;
        if (result.ok) {
          previous?.supersede();
          const changed = this.#changed(key, result, bytes, previous);
          if (requested.action === 'write' && (previous || isFrozenBefore(bytes?.length ?? 0)))
            changed.record?.remember(requested.object);
          return changed;
        }
        entry = result.current;
      } else {
        const newest = isNewest ? entry : await this.#store.get(key);
        if (newest?.revision === entry?.revision) {
          if (!requested) throw error;
          if (requested.action === 'write') previous?.rememberEncoding(requested.object);
          return { record: previous, previous, outcome: 'unchanged' };
        }
        entry = newest;
      }
      isNewest = true;
    }
  }

  /** Calls a change; returns its decision or its error. */
  #decide(change: ChangeFunction, previous: ObjectRecord | undefined): MaybePromise<Decision> {
    const failed = (error: unknown): Decision => ({
      error: UnreadableObjectError.is(error) ? this.#unreadable.write(error) : error,
    });
    try {
      const decision = andThen(change(previous), (requested) => this.#toDecision(requested, previous));
      return decision instanceof Promise ? decision.catch(failed) : decision;
    } catch (error) {
      return failed(error);
    }
  }

  #toDecision(requested: Change, previous: ObjectRecord | undefined): MaybePromise<Decision> {
    if (requested.action !== 'write') return { requested };
    if (!requested.isProvisional && !previous?.isStale && previous?.isEncodingOf(requested.object))
      return { requested: KEEP };
    return andThen(this.#encode(requested), (bytes) => {
      const decision = { requested, bytes };
      return isFrozenBefore(bytes.length)
        ? andThen(this.#freeze(requested.object), () => decision)
        : decision;
    });
  }

  /** What is written again and again, and what others follow, need not be decoded for it (`ObjectRecord.remember`). */
  #freeze(object: ApiObject): MaybePromise<void> {
    return runInSlices(freezeWrittenSteps(object), this.#options);
  }

  watch(prefix: string, watched: ObjectWatchOptions, observer: ObjectObserver): Watch {
    const { afterRevision, concerning } = watched;
    const options = {
      afterRevision,
      ...(concerning && { concerning: toEntryCondition(concerning, this.#options.codec) }),
    };
    const watch: Watch = this.#store.watch(
      prefix,
      options,
      this.#events.observe(watched, observer, () => watch[Symbol.dispose]()),
    );
    return watch;
  }

  currentRevision(): MaybePromise<number> {
    return this.#store.currentRevision();
  }

  usage(): StoreUsage | undefined {
    return this.#store.usage?.();
  }

  #reached({ notOlderThan = 0, mustBeReached, signal }: ReadOptions): MaybePromise<void> {
    if (notOlderThan <= (this.#store.reachedRevision?.() ?? 0)) return undefined;
    return andThen(this.#store.currentRevision(), (current) => {
      if (current >= notOlderThan) return undefined;
      if (mustBeReached) throw StatusError.tooLargeResourceVersion(notOlderThan, current, 0);
      return waitForRevision(this.#store, notOlderThan, { clock: this.#options.clock, signal });
    });
  }

  #encode({ object, isProvisional }: Extract<Change, { action: 'write' }>): MaybePromise<Uint8Array> {
    const { codec, maxObjectBytes = Number.POSITIVE_INFINITY } = this.#options;
    const bytes = codec.encodeSteps
      ? runInSlices(codec.encodeSteps(object), this.#options)
      : codec.encode(object);
    return andThen(bytes, (encoded) => {
      if (encoded.length > maxObjectBytes) throw tooLarge(maxObjectBytes);
      return isProvisional ? withSpace(encoded) : encoded;
    });
  }

  #write(key: string, ifRevision: number, change: Change, bytes?: Uint8Array): MaybePromise<WriteResult> {
    if (change.action !== 'write' || !bytes)
      return orElse(() => this.#store.delete(key, { ifRevision }), writeError);
    const { leaseSeconds } = change;
    const options = leaseSeconds === undefined ? { ifRevision } : { ifRevision, leaseSeconds };
    return orElse(() => this.#store.put(key, bytes, options), writeError);
  }

  #changed(
    key: string,
    { revision, entry }: Extract<WriteResult, { ok: true }>,
    bytes: Uint8Array | undefined,
    previous: ObjectRecord | undefined,
  ): ChangeResult {
    if (!bytes) return { record: previous?.at(revision), previous, outcome: 'removed' };
    const record = entry
      ? this.#toRecord(entry)
      : new ObjectRecord(key, revision, bytes, this.#options.codec);
    return { record, previous, outcome: previous ? 'updated' : 'created' };
  }
}

const KEEP: Change = { action: 'keep' };

function isNothing(
  change: Change,
  bytes: Uint8Array | undefined,
  previous: ObjectRecord | undefined,
): boolean {
  if (change.action === 'write') {
    if (bytes === undefined || previous === undefined || previous.isStale) return false;
    return sameBytes(bytes, previous.stored);
  }
  return change.action === 'keep' || previous === undefined;
}

/** Text that differs from what the same object is encoded to when it is written again. */
function withSpace(json: Uint8Array): Uint8Array {
  const spaced = new Uint8Array(json.length + 1);
  spaced.set(json);
  spaced[json.length] = SPACE;
  return spaced;
}

const SPACE = 0x20;

const hasFault = ({ fault }: ObjectRecord): boolean => fault !== undefined;
