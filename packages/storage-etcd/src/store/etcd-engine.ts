import {
  type Entry,
  FutureRevisionError,
  type PutOptions,
  type RangeOptions,
  type RangeResult,
  RevisionCompactedError,
  type StoreCapabilities,
  StoreClosedError,
  ValueTooLargeError,
  type WatchObserver,
  type WriteResult,
} from '@ashlar/storage';
import type { EtcdClient } from '../client/etcd-client.ts';
import {
  compactMethod,
  deleteRangeMethod,
  putMethod,
  rangeMethod,
  statusMethod,
  transactionMethod,
} from '../client/etcd-methods.ts';
import { GrpcCode, GrpcError } from '../client/grpc-error.ts';
import type { RequestOperation, TransactionResponse } from '../messages/key-value-messages.ts';
import type { EtcdKeys } from './etcd-keys.ts';
import type { EtcdStatistics, EtcdStore } from './etcd-store.ts';
import { EtcdWatch } from './etcd-watch.ts';
import { LeasePool } from './lease-pool.ts';
import { isCompacted, isFuture, readRange, readRevision } from './read-range.ts';
import { toStorageError } from './to-storage-error.ts';

/** Dependencies of the engine. */
export interface EngineOptions {
  readonly client: EtcdClient;
  readonly keys: EtcdKeys;
  /** The server's maximum request size, reported to callers with larger values. */
  readonly maxRequestBytes: number;
  /** Whether progress notifications are reliable. */
  readonly progress: boolean;
  /** Timeout of finding the compacted revision. */
  readonly requestMilliseconds: number;
}

/** Compares the revision of a key's newest value. */
const MODIFICATION = 2;

/** How often a list restarts after its revision was compacted. */
const LIST_ATTEMPTS = 3;

/** Implements the contract over etcd. The only state is leases to share: replicas are equal. */
export class EtcdEngine implements EtcdStore {
  readonly supports: StoreCapabilities;
  readonly #options: EngineOptions;
  readonly #client: EtcdClient;
  readonly #keys: EtcdKeys;
  readonly #leases: LeasePool;
  readonly #watches: Set<EtcdWatch> = new Set();
  #closing: Promise<void> | undefined;
  #inFlight: number = 0;
  #drained: () => void = () => {};
  /** A read of the current revision that is not sent yet. */
  #revision: Promise<number> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#client = options.client;
    this.#keys = options.keys;
    this.#leases = new LeasePool(options.client);
    this.supports = {
      durable: true,
      fork: false,
      leases: true,
      progress: options.progress,
      selection: false,
    };
  }

  get(key: string): Promise<Entry | undefined> {
    return this.#run(async () => {
      const response = await this.#client.call(rangeMethod, { key: this.#keys.toEtcd(key) });
      this.#client.revisionOf(response);
      return response.kvs[0] && this.#keys.entryOf(response.kvs[0]);
    });
  }

  range(prefix: string, options: RangeOptions = {}): Promise<RangeResult> {
    return this.#run(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await readRange(this.#client, this.#keys, prefix, options);
        } catch (error) {
          if (!isCompacted(error)) throw error;
          if (options.atRevision !== undefined) throw await this.#compactedAt(options.atRevision);
          if (attempt === LIST_ATTEMPTS) throw error;
        }
      }
    });
  }

  put(key: string, value: Uint8Array, { ifRevision, leaseSeconds }: PutOptions = {}): Promise<WriteResult> {
    return this.#run(async () => {
      const write = (lease?: bigint) => this.#put(this.#keys.toEtcd(key), value, ifRevision, lease);
      const result = leaseSeconds === undefined ? await write() : await this.#leased(leaseSeconds, write);
      if (!result.ok) return result;
      return { ...result, entry: { key, value, revision: result.revision, memo: undefined } };
    });
  }

  delete(key: string, { ifRevision }: { readonly ifRevision?: number } = {}): Promise<WriteResult> {
    return this.#run(async () => {
      const request = { key: this.#keys.toEtcd(key) };
      if (ifRevision !== undefined) return this.#swap(request.key, ifRevision, { deleteRange: request });
      const response = await this.#client.call(deleteRangeMethod, request);
      return { ok: response.deleted > 0, revision: this.#client.revisionOf(response) };
    });
  }

  watch(
    prefix: string,
    { afterRevision }: { readonly afterRevision: number },
    observer: WatchObserver,
  ): Disposable {
    this.#mustBeOpen();
    const watch = new EtcdWatch({
      client: this.#client,
      keys: this.#keys,
      prefix,
      afterRevision,
      observer,
      ended: (ended) => this.#watches.delete(ended),
    });
    this.#watches.add(watch);
    return watch;
  }

  requestProgress(prefix?: string): void {
    this.#mustBeOpen();
    if (!this.supports.progress) return;
    for (const watch of this.#watches) {
      if (prefix === undefined || watch.prefix === prefix) watch.requestProgress();
    }
  }

  /**
   * Concurrent callers in one turn of the event loop share one response: nothing can have been acknowledged
   * between them.
   */
  currentRevision(): Promise<number> {
    if (this.#closing) return Promise.reject(new StoreClosedError());
    if (this.#revision) return this.#revision;
    queueMicrotask(() => {
      this.#revision = undefined;
    });
    this.#revision = this.#run(() => readRevision(this.#client, this.#keys));
    return this.#revision;
  }

  compact(revision: number): Promise<void> {
    return this.#run(async () => {
      // open watches of this store must still get their events
      await Promise.all([...this.#watches].map((watch) => watch.settle(revision)));
      try {
        this.#client.revisionOf(await this.#client.call(compactMethod, { revision }));
      } catch (error) {
        // another replica may have compacted first, and further
        if (isCompacted(error)) return;
        if (isFuture(error))
          throw new FutureRevisionError(revision, await readRevision(this.#client, this.#keys));
        throw error;
      }
    });
  }

  check(): Promise<void> {
    return this.#run(async () => {
      const { leader, errors } = await this.#client.call(statusMethod, {});
      const problem = leader === 0n ? 'etcd has no leader' : errors.join('; ');
      if (problem !== '') throw new GrpcError(GrpcCode.unavailable, problem);
    });
  }

  statistics(): Promise<EtcdStatistics> {
    return this.#run(async () => {
      const status = await this.#client.call(statusMethod, {});
      const { version, databaseBytes, databaseBytesInUse } = status;
      return { version, databaseBytes, databaseBytesInUse, revision: this.#client.revisionOf(status) };
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #put(
    key: string,
    value: Uint8Array,
    ifRevision: number | undefined,
    lease: bigint | undefined,
  ): Promise<WriteResult> {
    const put = lease === undefined ? { key, value } : { key, value, lease };
    try {
      if (ifRevision !== undefined) return await this.#swap(key, ifRevision, { put });
      return { ok: true, revision: this.#client.revisionOf(await this.#client.call(putMethod, put)) };
    } catch (error) {
      throw isTooLarge(error) ? new ValueTooLargeError(this.#options.maxRequestBytes) : error;
    }
  }

  /** One write on the condition of a revision; otherwise returns the current entry. */
  async #swap(key: string, ifRevision: number, operation: RequestOperation): Promise<WriteResult> {
    const response = await this.#client.call(transactionMethod, {
      compare: [{ target: MODIFICATION, key, modRevision: ifRevision }],
      success: [operation],
      failure: [{ range: { key } }],
    });
    const revision = this.#client.revisionOf(response);
    return hasWritten(response) ? { ok: true, revision } : this.#rejectedWrite(response, revision);
  }

  #rejectedWrite({ responses }: TransactionResponse, revision: number): WriteResult {
    const current = responses[0]?.range?.kvs[0];
    return current ? { ok: false, revision, current: this.#keys.entryOf(current) } : { ok: false, revision };
  }

  /** Writes with a lease; with another one if etcd no longer knows it. */
  async #leased(seconds: number, write: (lease: bigint) => Promise<WriteResult>): Promise<WriteResult> {
    const lease = await this.#leases.lease(seconds);
    try {
      return await write(lease);
    } catch (error) {
      if (!GrpcError.is(error, GrpcCode.notFound, 'etcdserver: requested lease not found')) throw error;
      await this.#leases.forget(lease);
      return write(await this.#leases.lease(seconds));
    }
  }

  /** Only watches report the compacted revision. */
  #compactedAt(requested: number): Promise<Error> {
    const { requestMilliseconds } = this.#options;
    return new Promise((resolve) => {
      const finish = (error: Error): void => {
        timer.clear();
        watch[Symbol.dispose]();
        resolve(
          RevisionCompactedError.is(error) ? new RevisionCompactedError(requested, error.oldest) : error,
        );
      };
      const watch = this.watch('/', { afterRevision: requested }, { events: () => {}, error: finish });
      const timer = this.#client.clock.setTimer(requestMilliseconds, () =>
        finish(new GrpcError(GrpcCode.deadlineExceeded, 'etcd does not say how far it has been compacted')),
      );
    });
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    this.#mustBeOpen();
    this.#inFlight++;
    try {
      return await work();
    } catch (error) {
      throw toStorageError(error);
    } finally {
      if (--this.#inFlight === 0) this.#drained();
    }
  }

  async #close(): Promise<void> {
    for (const watch of this.#watches) watch.fail(new StoreClosedError());
    this.#client.close();
    if (this.#inFlight > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    this.#client.destroy();
  }

  #mustBeOpen(): void {
    if (this.#closing) throw new StoreClosedError();
  }
}

/** The condition held and something changed: deleting nothing is no change. */
function hasWritten({ succeeded, responses }: TransactionResponse): boolean {
  const deletion = responses[0]?.deleteRange;
  return succeeded && (deletion === undefined || deletion.deleted > 0);
}

/** The server rejects the request as too large, or gRPC does so first. */
function isTooLarge(error: unknown): boolean {
  if (GrpcError.is(error, GrpcCode.invalidArgument, 'etcdserver: request is too large')) return true;
  return GrpcError.is(error, GrpcCode.resourceExhausted) && error.message.includes('message larger than max');
}
