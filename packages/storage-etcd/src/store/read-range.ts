import { type Entry, FutureRevisionError, type RangeOptions, type RangeResult } from '@ashlar/storage';
import type { EtcdClient } from '../client/etcd-client.ts';
import { rangeMethod } from '../client/etcd-methods.ts';
import { GrpcCode, GrpcError } from '../client/grpc-error.ts';
import type { RangeRequest, RangeResponse } from '../messages/key-value-messages.ts';
import { MessageTooLongError } from '../messages/message-frames.ts';
import { type EtcdKeys, type KeyRange, NOTHING } from './etcd-keys.ts';

/** Error text of etcd for a compacted revision. */
const COMPACTED = 'etcdserver: mvcc: required revision has been compacted';
/** Error text of etcd for a future revision. */
const FUTURE = 'etcdserver: mvcc: required revision is a future revision';

export const isCompacted = (error: unknown): boolean => GrpcError.is(error, GrpcCode.outOfRange, COMPACTED);
export const isFuture = (error: unknown): boolean => GrpcError.is(error, GrpcCode.outOfRange, FUTURE);

/** How pages are sized. */
export interface PageSizes {
  /** Maximum size of a page in bytes: longer ones are requested again in halves. */
  readonly limit: number;
  /** Entries of the first page, before their size is known. */
  readonly firstEntries: number;
}

/**
 * Every page costs etcd a scan of the index of the range, so they are as large as memory allows: four times
 * the default limit of gRPC clients.
 */
const PAGE_SIZES: PageSizes = { limit: 16 << 20, firstEntries: 2000 };

/** Target size of a page as a share of the limit. */
const AIM = 0.5;

/** Pages that grow by more than this at a time would be based on too few entries. */
const GROWTH = 4;

/**
 * Reads a range in pages, all at the revision of the first one.
 *
 * @throws GrpcError if the revision has been compacted, before or meanwhile
 * @throws FutureRevisionError if it has not been reached
 */
export async function readRange(
  client: EtcdClient,
  keys: EtcdKeys,
  prefix: string,
  options: RangeOptions,
  sizes: PageSizes = PAGE_SIZES,
): Promise<RangeResult> {
  const range = keys.range(prefix, options.after);
  if (range === NOTHING)
    return { entries: [], remaining: 0, revision: await currentOr(client, keys, options) };
  const { limit = Number.POSITIVE_INFINITY } = options;
  if (limit <= 0) return count(client, keys, range, options);
  return new PagedRead(client, keys, sizes).read(range, limit, options.atRevision);
}

/** The revision of an empty response; a requested one must still exist. */
async function currentOr(client: EtcdClient, keys: EtcdKeys, { atRevision }: RangeOptions): Promise<number> {
  const at = atRevision === undefined ? {} : { revision: atRevision };
  const response = await requestRange(client, keys, { key: keys.toEtcd('/'), ...at });
  return atRevision ?? client.revisionOf(response);
}

async function count(
  client: EtcdClient,
  keys: EtcdKeys,
  range: KeyRange,
  { atRevision }: RangeOptions,
): Promise<RangeResult> {
  const at = atRevision === undefined ? {} : { revision: atRevision };
  const response = await requestRange(client, keys, { ...range, ...at, countOnly: true });
  return { entries: [], remaining: response.count, revision: atRevision ?? client.revisionOf(response) };
}

/** One read, page by page. */
class PagedRead {
  readonly #client: EtcdClient;
  readonly #keys: EtcdKeys;
  readonly #sizes: PageSizes;
  readonly #entries: Entry[] = [];
  #page: number;

  constructor(client: EtcdClient, keys: EtcdKeys, sizes: PageSizes) {
    this.#client = client;
    this.#keys = keys;
    this.#sizes = sizes;
    this.#page = sizes.firstEntries;
  }

  async read(range: KeyRange, limit: number, atRevision: number | undefined): Promise<RangeResult> {
    let revision = atRevision;
    for (let key = range.key; ; ) {
      const response = await this.#next({ ...range, key }, limit, revision);
      revision ??= this.#client.revisionOf(response);
      const bytes = this.#take(response);
      const remaining = Math.max(0, response.count - response.kvs.length);
      const last = response.kvs.at(-1);
      if (remaining === 0 || !last || this.#entries.length >= limit)
        return { entries: this.#entries, remaining, revision };
      key = `${last.key}\u0000`;
      this.#resize(bytes / response.kvs.length);
    }
  }

  /** The next page, in halves until it is not too long. */
  async #next(range: KeyRange, limit: number, revision: number | undefined): Promise<RangeResponse> {
    const at = revision === undefined ? {} : { revision };
    for (;;) {
      const entries = Math.min(this.#page, limit - this.#entries.length);
      // A single entry may have any size.
      const most = entries === 1 ? undefined : this.#sizes.limit;
      try {
        return await requestRange(this.#client, this.#keys, { ...range, ...at, limit: entries }, most);
      } catch (error) {
        if (!(error instanceof MessageTooLongError) || entries === 1) throw error;
        this.#page = Math.max(
          1,
          Math.floor(entries * Math.min(0.5, (this.#sizes.limit * AIM) / error.bytes)),
        );
      }
    }
  }

  #take({ kvs }: RangeResponse): number {
    let bytes = 0;
    for (const one of kvs) {
      const entry = this.#keys.entryOf(one);
      bytes += entry.value.length + one.key.length;
      this.#entries.push(entry);
    }
    return bytes;
  }

  #resize(averageBytes: number): void {
    const fitting = Math.floor((this.#sizes.limit * AIM) / Math.max(1, averageBytes));
    this.#page = Math.max(1, Math.min(fitting, this.#page * GROWTH));
  }
}

/** @throws FutureRevisionError if the revision has not been reached */
async function requestRange(
  client: EtcdClient,
  keys: EtcdKeys,
  request: RangeRequest,
  limit?: number,
): Promise<RangeResponse> {
  try {
    const response = await client.call(rangeMethod, request, limit);
    client.revisionOf(response);
    return response;
  } catch (error) {
    if (!isFuture(error) || request.revision === undefined) throw error;
    throw new FutureRevisionError(request.revision, await readRevision(client, keys));
  }
}

/** The current revision: a read that sees every write acknowledged before it. */
export async function readRevision(client: EtcdClient, keys: EtcdKeys): Promise<number> {
  // a key of this store: users with limited permissions may read it
  return client.revisionOf(await client.call(rangeMethod, { key: keys.toEtcd('/'), countOnly: true }));
}
