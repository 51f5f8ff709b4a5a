import type { MaybePromise } from '@ashlar/core';
import type {
  Entry,
  KeyValueEvent,
  Lease,
  MemoryStore,
  MvccCore,
  PutOptions,
  RangeOptions,
  RangeResult,
  StoreCapabilities,
  StoreUsage,
  Watch,
  WatchObserver,
  WatchOptions,
  WriteResult,
} from '@ashlar/storage';
import { deleteEvent, LeaseQueue, putEvent, StoreClosedError, toMemoryStore } from '@ashlar/storage';
import type { StoredLease } from './loaded-state.ts';
import { SpeculativeHead } from './speculative-head.ts';
import type { SqliteStore, SqliteStoreOptions } from './sqlite-store.ts';
import type { SqliteStoreError } from './sqlite-store-error.ts';
import type { Writer, WriterOwner } from './writer.ts';

const CAPABILITIES: StoreCapabilities = {
  durable: true,
  fork: true,
  leases: true,
  progress: false,
  selection: true,
};

/** Interval of checks of the file: when healthy, and after a failure. */
const CHECK_MILLISECONDS = 5_000;
const FAULTY_CHECK_MILLISECONDS = 1_000;

/** Delay before retrying the expiry of a lease, after the file could not be written. */
const LEASE_RETRY_MILLISECONDS = 10_000;

/**
 * Reads, watches and history come from the core, which contains only what is durable. Writes are checked
 * against the speculative head, which includes the writes in flight; they get their revision immediately, and
 * their result with the commit.
 */
export class SqliteEngine implements SqliteStore, WriterOwner {
  readonly supports: StoreCapabilities = CAPABILITIES;
  readonly #options: SqliteStoreOptions;
  readonly #writer: Writer;
  readonly #core: MvccCore;
  readonly #head: SpeculativeHead;
  readonly #leases: LeaseQueue;
  /** Revision of the newest write, in flight or durable. */
  #revision: number;
  /** Why nothing can be written any more. */
  #broken: SqliteStoreError | undefined;
  /** Why the last write, or the last check of the file, has failed. */
  #fault: SqliteStoreError | undefined;
  #checking: ReturnType<SqliteStoreOptions['clock']['setTimer']> | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    options: SqliteStoreOptions,
    writer: Writer,
    { core, leases }: { readonly core: MvccCore; readonly leases: readonly StoredLease[] },
  ) {
    this.#options = options;
    this.#writer = writer;
    this.#core = core;
    this.#revision = core.revision;
    this.#head = new SpeculativeHead((key) => core.get(key));
    this.#leases = new LeaseQueue({
      clock: options.clock,
      isCurrent: ({ key, revision }) => this.#head.get(key)?.revision === revision,
      expire: (lease) => this.#expire(lease),
    });
    for (const { key, revision, deadline } of leases) this.#lease(key, revision, deadline);
    writer.attach(this);
    this.#scheduleCheck();
  }

  get(key: string): Entry | undefined {
    this.#mustBeOpen();
    return this.#core.get(key);
  }

  range(prefix: string, options?: RangeOptions): RangeResult {
    this.#mustBeOpen();
    return this.#core.range(prefix, options);
  }

  put(key: string, value: Uint8Array, options: PutOptions = {}): MaybePromise<WriteResult> {
    this.#mustBeWritable();
    const { ifRevision, leaseSeconds } = options;
    const previous = this.#head.get(key);
    if (ifRevision !== undefined && ifRevision !== (previous?.revision ?? 0))
      return this.#refuse(key, previous);
    const event = putEvent(key, value, this.#revision + 1, previous);
    return this.#write(event, leaseSeconds === undefined ? undefined : leaseSeconds * 1000);
  }

  delete(key: string, { ifRevision }: { readonly ifRevision?: number } = {}): MaybePromise<WriteResult> {
    this.#mustBeWritable();
    const previous = this.#head.get(key);
    if (!previous || (ifRevision ?? previous.revision) !== previous.revision)
      return this.#refuse(key, previous);
    return this.#write(deleteEvent(previous, this.#revision + 1));
  }

  watch(prefix: string, options: WatchOptions, observer: WatchObserver): Watch {
    this.#mustBeOpen();
    return this.#core.watch(prefix, options, observer);
  }

  currentRevision(): number {
    this.#mustBeOpen();
    return this.#core.revision;
  }

  async compact(revision: number): Promise<void> {
    this.#mustBeWritable();
    this.#core.compact(revision);
    await this.#writer.compact(revision);
  }

  async check(): Promise<void> {
    this.#mustBeWritable();
    try {
      await this.#writer.check();
    } catch (error) {
      this.#reportFault(error as SqliteStoreError);
      throw error;
    }
    this.#reportFault(undefined);
  }

  usage(): StoreUsage {
    return this.#core.usage;
  }

  fork(): MemoryStore {
    this.#mustBeOpen();
    return toMemoryStore(this.#core, this.#leases, this.#options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  committed(count: number): void {
    this.#reportFault(undefined);
    const { clock } = this.#options;
    const ahead = clock.monotonic() - clock.now();
    for (let i = 0; i < count; i++) {
      const { event, time, deadline, resolve, witnesses } = this.#head.shift();
      this.#core.apply(event, time + ahead);
      if (deadline !== undefined) this.#lease(event.key, event.revision, deadline);
      resolve();
      for (const witness of witnesses) witness.resolve();
    }
  }

  failed(error: SqliteStoreError): void {
    if (error.isLasting) this.#broken ??= error;
    this.#reportFault(error);
    const unwritten = this.#head.clear();
    this.#revision = this.#core.revision;
    for (const { reject, witnesses } of unwritten) {
      reject(error);
      for (const witness of witnesses) witness.reject(error);
    }
    if (this.#broken) this.#core.fail(this.#broken);
  }

  restored(error: SqliteStoreError): void {
    const before = this.#fault;
    this.#options.onFault?.(error);
    this.#options.onFault?.(before);
  }

  trimTo(): number {
    return this.#core.oldest;
  }

  /** Notifies the host when the fault of the file changes. */
  #reportFault(fault: SqliteStoreError | undefined): void {
    if (this.#closing || fault?.message === this.#fault?.message) return;
    this.#fault = fault;
    this.#options.onFault?.(fault);
    if (fault) this.#scheduleCheck();
  }

  #scheduleCheck(): void {
    const pause = this.#fault ? FAULTY_CHECK_MILLISECONDS : CHECK_MILLISECONDS;
    this.#checking?.clear();
    this.#checking = this.#options.clock.setTimer(pause, async () => {
      await this.check().catch(() => {});
      if (!this.#closing && !this.#broken) this.#scheduleCheck();
    });
  }

  #write(event: KeyValueEvent, leaseMilliseconds?: number): Promise<WriteResult> {
    const time = this.#options.clock.now();
    const deadline = leaseMilliseconds === undefined ? undefined : time + leaseMilliseconds;
    this.#revision = event.revision;
    return new Promise((resolve, reject) => {
      const done = (): void => resolve(written(event));
      const write = { event, time, deadline, resolve: done, reject, witnesses: [] };
      this.#head.push(write);
      this.#writer.write(write);
    });
  }

  /** A rejection describes a state; it must wait until that state is durable. */
  #refuse(key: string, current: Entry | undefined): MaybePromise<WriteResult> {
    const deciding = this.#head.deciding(key);
    if (!deciding) return rejectedWrite(this.#core.revision, current);
    return new Promise((resolve, reject) => {
      deciding.witnesses.push({
        resolve: () => resolve(rejectedWrite(deciding.event.revision, current)),
        reject,
      });
    });
  }

  #lease(key: string, revision: number, deadline: number): void {
    const { clock } = this.#options;
    this.#leases.add({ key, revision, deadline: deadline - clock.now() + clock.monotonic() });
  }

  async #expire(lease: Lease): Promise<void> {
    try {
      await this.delete(lease.key, { ifRevision: lease.revision });
    } catch {
      if (this.#closing || this.#broken) return;
      this.#leases.add({ ...lease, deadline: this.#options.clock.monotonic() + LEASE_RETRY_MILLISECONDS });
    }
  }

  async #close(): Promise<void> {
    this.#checking?.clear();
    this.#leases.clear();
    await this.#writer.close();
    this.#core.fail(new StoreClosedError());
  }

  #mustBeOpen(): void {
    if (this.#closing) throw new StoreClosedError();
  }

  #mustBeWritable(): void {
    this.#mustBeOpen();
    if (this.#broken) throw this.#broken;
  }
}

function written({ revision, entry, previous }: KeyValueEvent): WriteResult {
  return { ok: true, revision, ...(entry && { entry }), ...(previous && { previous }) };
}

const rejectedWrite = (revision: number, current: Entry | undefined): WriteResult =>
  current ? { ok: false, revision, current } : { ok: false, revision };
