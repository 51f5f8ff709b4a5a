import { sleep, toError } from '@ashlar/core';
import { RevisionCompactedError, StoreClosedError, type WatchObserver } from '@ashlar/storage';
import { BackOff } from '../client/back-off.ts';
import { type EtcdClient, isTokenRefusal } from '../client/etcd-client.ts';
import type { EtcdMember } from '../client/etcd-connections.ts';
import { WATCH_PATH } from '../client/etcd-methods.ts';
import type { GrpcCall } from '../client/grpc-call.ts';
import { GrpcCode, GrpcError } from '../client/grpc-error.ts';
import { MalformedMessageError } from '../messages/protobuf-message.ts';
import { type WatchResponse, watchRequest, watchResponse } from '../messages/watch-messages.ts';
import type { EtcdKeys } from './etcd-keys.ts';
import { systemClock } from './system-clock.ts';
import { toStorageError } from './to-storage-error.ts';
import { WatchBatches } from './watch-batches.ts';

/** A fragment is at most as long as etcd's limit on requests, or a single event: far below this. */
const MESSAGE_LIMIT = 256 << 20;

/** How long a compaction waits for a watch that catches up, and how often it checks. */
const SETTLE_MILLISECONDS = 5000;
const SETTLE_STEP_MILLISECONDS = 20;

/** A server whose progress notifications are early sends past events of a watch within that time, or has none. */
const CATCH_UP_MILLISECONDS = 400;
/** A busy server takes longer: so many times as long as it took to confirm the watch. */
const CATCH_UP_PER_CONFIRMATION = 10;

/** Past events are sent in responses of this many revisions; a shorter one is the last. */
const REVISIONS_PER_RESPONSE = 1000;

/** Dependencies of a watch. */
export interface EtcdWatchOptions {
  readonly client: EtcdClient;
  readonly keys: EtcdKeys;
  readonly prefix: string;
  readonly afterRevision: number;
  readonly observer: WatchObserver;
  /** Called once, when the watch has ended. */
  readonly ended: (watch: EtcdWatch) => void;
}

/**
 * A watch that survives its connections: on every new one it continues after the last delivered event. It
 * ends when it is disposed, when the next revision has been compacted, or when etcd forbids it.
 */
export class EtcdWatch implements Disposable {
  readonly prefix: string;
  readonly #options: EtcdWatchOptions;
  readonly #batches: WatchBatches;
  readonly #backOff: BackOff = new BackOff(20, 2000);
  readonly #ending: AbortController = new AbortController();
  #call: GrpcCall | undefined;
  /** When that began, by the system's clock. */
  #calledAt: number = 0;
  /** Releases the current stream, whose call has been cancelled. */
  #leave: () => void = () => {};
  /** The call, once etcd has confirmed the watch. */
  #standing: GrpcCall | undefined;
  /** The watch has caught up: compaction cannot affect it. */
  #synced: boolean = false;
  /** When it has presumably caught up, by the system's clock. */
  #syncedAt: number = Number.POSITIVE_INFINITY;
  #progressRequested: boolean = false;
  /** The last attempt was not permitted; its token may have expired. */
  #denied: boolean = false;

  constructor(options: EtcdWatchOptions) {
    this.#options = options;
    this.prefix = options.prefix;
    this.#batches = new WatchBatches(options.keys, options.afterRevision);
    void this.#run();
  }

  /** Requests a progress notification from etcd, which does not respond while the watch catches up. */
  requestProgress(): void {
    if (this.#standing) this.#standing.write(watchRequest.encode({ progress: {} }));
    else this.#progressRequested = true;
  }

  /** Resolves when a compaction up to that revision cannot affect the watch any more, or after five seconds. */
  async settle(revision: number): Promise<void> {
    const end = systemClock.monotonic() + SETTLE_MILLISECONDS;
    while (!this.#ended && !this.#synced && this.#batches.position < revision) {
      if (systemClock.monotonic() > Math.min(end, this.#syncedAt)) return;
      this.requestProgress();
      await sleep(systemClock, SETTLE_STEP_MILLISECONDS);
    }
  }

  /** Ends the watch with an error. */
  fail(error: Error): void {
    if (this.#ended) return;
    this[Symbol.dispose]();
    try {
      this.#options.observer.error(error);
    } catch {
      // It has been notified; its exception affects nobody else.
    }
  }

  [Symbol.dispose](): void {
    if (this.#ended) return;
    this.#ending.abort();
    this.#call?.cancel();
    this.#leave();
    this.#options.ended(this);
  }

  get #ended(): boolean {
    return this.#ending.signal.aborted;
  }

  async #run(): Promise<void> {
    // the observer is not called before the caller has received the watch
    await Promise.resolve();
    while (!this.#ended) {
      try {
        await this.#listen();
      } catch (error) {
        if (isFinal(error))
          return this.fail(toStorageError(error instanceof WatchForbiddenError ? error.cause : error));
        await this.#pause();
      }
    }
  }

  #pause(): Promise<void> {
    return sleep(this.#options.client.clock, this.#backOff.next(), this.#ending.signal).catch(() => {});
  }

  /** One stream. Resolves if the next one should start immediately, rejects with its error. */
  async #listen(): Promise<void> {
    const { client } = this.#options;
    const member = await client.member();
    const token = await client.token(member.connection);
    if (this.#ended) return;
    try {
      await this.#stream(member, token);
    } catch (error) {
      if (error instanceof GrpcError) this.#learn(error, token);
      if (GrpcError.is(error, GrpcCode.unavailable, 'etcdserver: no leader')) client.leave(member);
      throw error;
    } finally {
      this.#call = undefined;
      this.#standing = undefined;
      this.#synced = false;
      this.#syncedAt = Number.POSITIVE_INFINITY;
    }
  }

  /** A token may have expired. Before 3.4.25 and 3.5.8 etcd reports that to watches as a missing permission. */
  #learn(error: GrpcError, token: string | undefined): void {
    const isDenied = error.code === GrpcCode.permissionDenied;
    if (isDenied && (token === undefined || this.#denied)) throw new WatchForbiddenError(error);
    this.#denied = isDenied;
    if (isDenied || isTokenRefusal(error)) this.#options.client.forget(token);
  }

  #stream(member: EtcdMember, token: string | undefined): Promise<void> {
    const start = this.#start();
    this.#batches.restart();
    return new Promise((resolve, reject) => {
      const observer = {
        message: (bytes: Uint8Array): void => {
          try {
            if (this.#process(watchResponse.decode(bytes), member, start)) return;
            call.cancel();
            resolve();
          } catch (error) {
            call.cancel();
            reject(error);
          }
        },
        done: (error: Error | undefined) => reject(error ?? closedByServer()),
      };
      const call = member.connection.call(
        { path: WATCH_PATH, limit: MESSAGE_LIMIT, token, urgent: false },
        observer,
      );
      this.#call = call;
      this.#calledAt = systemClock.monotonic();
      this.#leave = resolve;
      call.write(watchRequest.encode({ create: this.#create(start, member) }));
    });
  }

  /**
   * The start revision of a stream. Normally after the position. If there are newer revisions already, the
   * position itself: etcd must report that it has been compacted, and would not do so for a watch that starts
   * at the oldest remaining revision, although the deletions of that one, and previous entries, are gone.
   */
  #start(): number {
    const { position } = this.#batches;
    return position < this.#options.client.seen ? Math.max(1, position) : position + 1;
  }

  #create(startRevision: number, member: EtcdMember) {
    const { keys, prefix } = this.#options;
    const range = keys.range(prefix, undefined);
    return { ...range, startRevision, progressNotify: member.progress, previous: true, fragment: true };
  }

  /** Processes a response; false if the stream has to restart. */
  #process(response: WatchResponse, member: EtcdMember, start: number): boolean {
    const { client } = this.#options;
    const revision = response.header ? client.revisionOf(response) : 0;
    if (response.canceled) throw this.#cancellation(response);
    if (response.created) return this.#begin(revision, start, member);
    if (response.events.length > 0) this.#deliver(response);
    else this.#progress(revision, member);
    return true;
  }

  /**
   * The watch is confirmed, unless there were newer revisions than known. A lower revision does not prove that
   * there is nothing to catch up with: etcd reads it before it adds the watch, and may write in between.
   */
  #begin(revision: number, start: number, member: EtcdMember): boolean {
    this.#backOff.reset();
    this.#denied = false;
    if (start > this.#batches.position && revision >= start) return false;
    if (!member.progress) this.#syncedAt = this.#presumablySyncedAt();
    this.#standing = this.#call;
    if (this.#progressRequested) {
      this.#progressRequested = false;
      this.requestProgress();
    }
    return true;
  }

  #presumablySyncedAt(): number {
    const now = systemClock.monotonic();
    return now + CATCH_UP_MILLISECONDS + CATCH_UP_PER_CONFIRMATION * (now - this.#calledAt);
  }

  /**
   * A notification is sent only when there is nothing to catch up with; by older servers at any time, so it
   * proves nothing.
   */
  #progress(revision: number, member: EtcdMember): void {
    if (!member.progress) return;
    this.#synced = true;
    if (this.#batches.reach(revision)) this.#notify((observer) => observer.progress?.(revision));
  }

  #deliver(response: WatchResponse): void {
    const events = this.#batches.take(response);
    if (!response.fragment && response.events.length < REVISIONS_PER_RESPONSE) this.#synced = true;
    if (events.length > 0) this.#notify((observer) => observer.events(events));
  }

  /** The watch of an observer that throws is ended. */
  #notify(call: (observer: WatchObserver) => void): void {
    try {
      call(this.#options.observer);
    } catch (error) {
      this.fail(toError(error));
    }
  }

  #cancellation({ compactRevision, cancelReason }: WatchResponse): Error {
    if (compactRevision > 0) return new RevisionCompactedError(this.#batches.position, compactRevision);
    const text = cancelReason.replace(CODE_IN_FRONT, '') || 'etcd ends the watch';
    return new GrpcError(REASON_CODES.get(text) ?? GrpcCode.unavailable, text);
  }
}

/** Watches are cancelled with a text; a code may precede it, as Go prints it. */
const CODE_IN_FRONT = /^rpc error: code = \w+ desc = /;
const REASON_CODES: ReadonlyMap<string, number> = new Map([
  ['etcdserver: permission denied', GrpcCode.permissionDenied],
  ['etcdserver: invalid auth token', GrpcCode.unauthenticated],
  ['etcdserver: user name is empty', GrpcCode.permissionDenied],
  ['etcdserver: revision of auth store is old', GrpcCode.invalidArgument],
]);

/** The user may not watch there, with any token. */
class WatchForbiddenError extends Error {
  override readonly name: string = 'WatchForbiddenError';
  constructor(cause: GrpcError) {
    super(cause.message, { cause });
  }
}

/** Any other error may not occur on the next connection. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof WatchForbiddenError ||
    RevisionCompactedError.is(error) ||
    StoreClosedError.is(error) ||
    error instanceof MalformedMessageError ||
    error instanceof TypeError
  );
}

const closedByServer = (): GrpcError =>
  new GrpcError(GrpcCode.unavailable, 'etcd has closed the stream of a watch');
