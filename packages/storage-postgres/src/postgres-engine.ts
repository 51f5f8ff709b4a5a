import { randomUUID } from 'node:crypto';
import { type Clock, sleep } from '@ashlar/core';
import {
  type Entry,
  FutureRevisionError,
  type KeyValueStore,
  type PutOptions,
  type RangeOptions,
  type RangeResult,
  RevisionCompactedError,
  type StoreCapabilities,
  StoreClosedError,
  type Watch,
  type WatchObserver,
  type WriteResult,
} from '@ashlar/storage';
import { CHANGES_AT_ONCE, ChangeFeed } from './change-feed.ts';
import type { Database } from './database.ts';
import { type KeySpan, keySpan } from './key-span.ts';
import { LeaseExpiry } from './lease-expiry.ts';
import { requireFormat } from './open-schema.ts';
import { PostgresWatch } from './postgres-watch.ts';
import { type ChangeRow, toEntry, toRevision } from './rows.ts';
import type { Statements } from './statements.ts';
import { DISK_FULL, isOfConnection, READ_ONLY, toStorageError } from './to-storage-error.ts';
import { type QueuedWrite, WriteQueue } from './write-queue.ts';

/** Dependencies of the engine. */
export interface EngineOptions {
  readonly database: Database;
  readonly statements: Statements;
  readonly clock: Clock;
  /** Name of the schema, for messages. */
  readonly schema: string;
  /** The newest revision when the store was opened. */
  readonly revision: number;
}

const SUPPORTS: StoreCapabilities = {
  durable: true,
  fork: false,
  leases: true,
  progress: true,
  selection: false,
};

/** Pause before a watch tries again to read. */
const RETRY_MILLISECONDS = 200;
/** The newest state. */
const NEWEST = '9223372036854775807';

/** A row of the statements `range` and `countedRange`. */
type RangeRow = readonly [
  revision: string,
  compacted: string,
  key: string | null,
  entryRevision: string,
  value: Buffer,
  total: string | null,
];

/** Implements the contract over PostgreSQL. It has no state of its own: servers over one schema are equal. */
export class PostgresEngine implements KeyValueStore {
  readonly supports: StoreCapabilities = SUPPORTS;
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #clock: Clock;
  readonly #writes: WriteQueue;
  readonly #feed: ChangeFeed;
  readonly #expiry: LeaseExpiry;
  readonly #watches: Set<PostgresWatch> = new Set();
  readonly #inFlight: Set<Promise<unknown>> = new Set();
  readonly #schema: string;
  /** Whether a write has found the disk full, and none has been tried since. */
  #isFull = false;
  #closing: Promise<void> | undefined;
  /** A read of the current revision that is not sent yet. */
  #revision: Promise<number> | undefined;

  constructor({ database, statements, clock, schema, revision }: EngineOptions) {
    this.#schema = schema;
    this.#database = database;
    this.#statements = statements;
    this.#clock = clock;
    const sender = randomUUID();
    this.#writes = new WriteQueue({
      send: async (parameters) => {
        try {
          return await database.run(statements.write, [...parameters, sender]);
        } catch (error) {
          this.#isFull ||= (error as { readonly code?: string }).code === DISK_FULL;
          throw error;
        }
      },
      changed: (events) => this.#feed.take(events),
      failed: () => this.#feed.readSoon(),
    });
    this.#feed = new ChangeFeed(
      {
        read: (after) => this.#changes(keySpan(''), after),
        listen: (notified, ended) =>
          database.listen(
            statements.channel,
            // the results of its own writes say more
            (by) => by !== sender && notified(),
            ended,
          ),
      },
      clock,
      {
        changes: (events) => {
          for (const watch of [...this.#watches]) watch.receive(events);
        },
        lost: (error) => {
          for (const watch of [...this.#watches]) watch.lose(error);
        },
      },
      revision,
    );
    this.#expiry = new LeaseExpiry(
      clock,
      async () => (await database.read<[string, string]>(statements.expired)).map(toExpired),
      ({ key, revision: ifRevision }) => this.delete(key, { ifRevision }),
    );
  }

  get(key: string): Promise<Entry | undefined> {
    return this.#run(async () => {
      const [row] = await this.#database.read<[string, Buffer | null]>(this.#statements.get, [key]);
      return row?.[1] ? toEntry(key, row[0], row[1]) : undefined;
    });
  }

  range(prefix: string, options: RangeOptions = {}): Promise<RangeResult> {
    return this.#run(async () => {
      const { after, limit, atRevision } = options;
      const [from, until] = keySpan(prefix, after);
      const { range, countedRange } = this.#statements;
      const rows = await this.#database.read<RangeRow>(limit === undefined ? range : countedRange, [
        ...[from, until],
        ...[atRevision ?? NEWEST, limit ?? null],
      ]);
      return rangeOf(rows, atRevision);
    });
  }

  put(key: string, value: Uint8Array, { ifRevision, leaseSeconds }: PutOptions = {}): Promise<WriteResult> {
    if (leaseSeconds !== undefined && !(leaseSeconds > 0))
      return Promise.reject(new RangeError(`a lease of ${leaseSeconds} seconds`));
    return this.#write({ key, value, ifRevision, leaseSeconds });
  }

  delete(key: string, { ifRevision }: { readonly ifRevision?: number } = {}): Promise<WriteResult> {
    return this.#write({ key, value: undefined, ifRevision, leaseSeconds: undefined });
  }

  watch(
    prefix: string,
    { afterRevision }: { readonly afterRevision: number },
    observer: WatchObserver,
  ): Watch {
    this.#mustBeOpen();
    const span = keySpan(prefix);
    const watch = new PostgresWatch({
      prefix,
      afterRevision,
      observer,
      read: (after) => this.#changes(span, after),
      pause: () => sleep(this.#clock, RETRY_MILLISECONDS),
      feedPosition: () => this.#feed.position,
      toError: toStorageError,
      isPassing: isOfConnection,
      ended: (ended) => this.#watches.delete(ended),
    });
    this.#watches.add(watch);
    return watch;
  }

  requestProgress(prefix?: string): void {
    this.#mustBeOpen();
    const report = (): void => {
      const { position } = this.#feed;
      for (const watch of [...this.#watches])
        if (prefix === undefined || watch.prefix === prefix) watch.progress(position);
    };
    // callers that wait retry
    this.#feed.catchUp().then(report, () => {});
  }

  /** Callers of one turn share one response: nothing can have been acknowledged between them. */
  currentRevision(): Promise<number> {
    if (this.#closing) return Promise.reject(new StoreClosedError());
    if (this.#revision) return this.#revision;
    queueMicrotask(() => {
      this.#revision = undefined;
    });
    this.#revision = this.#run(async () => (await this.#state()).revision);
    return this.#revision;
  }

  compact(revision: number): Promise<void> {
    return this.#run(async () => {
      const { advanceCompaction, removeCompacted } = this.#statements;
      const { revision: current } = await this.#state();
      if (revision > current) throw new FutureRevisionError(revision, current);
      // open watches of this store must still get their events
      await Promise.all([...this.#watches].map(({ attempted }) => attempted));
      if (this.#feed.position < revision) await this.#feed.catchUp();
      await this.#database.run(advanceCompaction, [revision]);
      while ((await this.#database.run(removeCompacted, [revision])).length > 0);
    });
  }

  check(): Promise<void> {
    return this.#run(async () => {
      const { check, fill } = this.#statements;
      const [row] = await this.#database.run<[boolean, number]>(check);
      const [isReadOnly, format] = row as [boolean, number];
      if (isReadOnly) throw Object.assign(new Error('the database takes no writes'), { code: READ_ONLY });
      requireFormat(this.#schema, format);
      // whether there is room again is not known before something is written
      if (this.#isFull) await this.#database.tryOut(fill);
      this.#isFull = false;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #write(write: QueuedWrite): Promise<WriteResult> {
    return this.#run(() => this.#writes.write(write));
  }

  #changes([from, until]: KeySpan, after: number): Promise<readonly ChangeRow[]> {
    return this.#database.read(this.#statements.changes, [from, until, after, CHANGES_AT_ONCE]);
  }

  async #state(): Promise<{ readonly revision: number; readonly compacted: number }> {
    const [row] = await this.#database.read<[string, string]>(this.#statements.revision);
    const [revision, compacted] = row as [string, string];
    return { revision: toRevision(revision), compacted: toRevision(compacted) };
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    this.#mustBeOpen();
    const running = work();
    this.#inFlight.add(running);
    try {
      return await running;
    } catch (error) {
      throw toStorageError(error);
    } finally {
      this.#inFlight.delete(running);
    }
  }

  async #close(): Promise<void> {
    this.#feed[Symbol.dispose]();
    this.#expiry[Symbol.dispose]();
    for (const watch of [...this.#watches]) watch.fail(new StoreClosedError());
    await Promise.allSettled(this.#inFlight);
    await this.#database.close();
  }

  #mustBeOpen(): void {
    if (this.#closing) throw new StoreClosedError();
  }
}

const toExpired = ([key, revision]: readonly [string, string]) => ({ key, revision: toRevision(revision) });

/** @throws RevisionCompactedError */
function rangeOf(rows: readonly RangeRow[], atRevision: number | undefined): RangeResult {
  const [[state, compactedText, , , , total]] = rows as [RangeRow];
  const [current, compacted] = [toRevision(state), toRevision(compactedText)];
  if (atRevision !== undefined && atRevision < compacted)
    throw new RevisionCompactedError(atRevision, compacted);
  if (atRevision !== undefined && atRevision > current) throw new FutureRevisionError(atRevision, current);
  const entries = rows.flatMap(([, , key, revision, value]) =>
    key === null ? [] : toEntry(key, revision, value),
  );
  const remaining = total === null ? 0 : toRevision(total) - entries.length;
  return { entries, remaining, revision: atRevision ?? current };
}
