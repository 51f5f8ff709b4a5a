import { type Clock, sleep } from '@ashlar/core';
import type { MemberStatus } from '../messages/cluster-messages.ts';
import type { ResponseHeader } from '../messages/key-value-messages.ts';
import { EtcdStoreError } from '../store/etcd-store-error.ts';
import { BackOff } from './back-off.ts';
import type { ConnectionOptions, EtcdConnection } from './etcd-connection.ts';
import { EtcdConnections, type EtcdMember } from './etcd-connections.ts';
import { authenticateMethod, type EtcdMethod, statusMethod } from './etcd-methods.ts';
import { hasOrderedProgress, isSupportedVersion } from './etcd-version.ts';
import { GrpcCode, GrpcError } from './grpc-error.ts';

/** Endpoints, credentials and timeouts. */
export interface ClientOptions extends ConnectionOptions {
  readonly endpoints: readonly string[];
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
  /** Timeout of a call, including retries and pauses. */
  readonly requestMilliseconds: number;
}

/** Maximum size of a response, except of pages of ranges: one entry and its overhead. */
const RESPONSE_LIMIT = 256 << 20;

/** Errors of etcd before it has processed a request: a retry cannot execute it twice. */
const TURNED_AWAY: ReadonlySet<string> = new Set([
  'etcdserver: no leader',
  'etcdserver: not capable',
  'etcdserver: too many requests',
  'etcdserver: rpc not supported for learner',
]);

/** An error after which another member should be used. */
const USELESS_MEMBER: ReadonlySet<string> = new Set([
  'etcdserver: no leader',
  'etcdserver: server stopped',
  'etcdserver: rpc not supported for learner',
]);

/** Calls etcd: with a deadline, safe retries, tokens, and any endpoint that responds. */
export class EtcdClient {
  readonly #options: ClientOptions;
  readonly #connections: EtcdConnections;
  #token: string | undefined;
  #renewing: Promise<string | undefined> | undefined;
  #cluster: bigint | undefined;
  #newestRevision: number = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#connections = new EtcdConnections({ ...options, greet: (connection) => this.#greet(connection) });
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  /** The newest revision in any response. */
  get seen(): number {
    return this.#newestRevision;
  }

  /** Records the revision of a response, and returns it. @throws GrpcError if the response has no header */
  revisionOf({ header }: { readonly header?: ResponseHeader }): number {
    if (!header) throw new GrpcError(GrpcCode.internal, 'a response has no header');
    if (header.revision > this.#newestRevision) this.#newestRevision = header.revision;
    return header.revision;
  }

  /** A connected member. @throws GrpcError or EtcdStoreError if there is none */
  member(): Promise<EtcdMember> {
    return this.#connections.ready();
  }

  /** Sends further calls to another member, if there is one. */
  leave(member: EtcdMember): void {
    this.#connections.leave(member);
  }

  /** The authorization of a call; requests a token if there is none yet. */
  async token(connection: EtcdConnection): Promise<string | undefined> {
    return this.#token ?? (this.#options.credentials ? this.#renew(connection) : undefined);
  }

  /** A token has been rejected; the next caller requests another one. */
  forget(token: string | undefined): void {
    if (this.#token === token) this.#token = undefined;
  }

  /**
   * Calls a method.
   * @param limit maximum size of the response in bytes
   * @throws GrpcError, EtcdStoreError, MessageTooLongError, MalformedMessageError
   */
  async call<Q, A>(method: EtcdMethod<Q, A>, request: Q, limit: number = RESPONSE_LIMIT): Promise<A> {
    const { clock, requestMilliseconds } = this.#options;
    const end = clock.monotonic() + requestMilliseconds;
    const bytes = method.request.encode(request);
    let backOff: BackOff | undefined;
    for (;;) {
      try {
        const response = await this.#attempt(method.path, bytes, limit, end);
        return method.response.decode(response);
      } catch (error) {
        if (!this.#maySucceedAgain(error, method.repeatable)) throw error;
        backOff ??= new BackOff(10, 500);
        const pause = backOff.next();
        if (clock.monotonic() + pause >= end) throw error;
        await sleep(clock, pause);
      }
    }
  }

  /** Accepts no new calls; open ones may complete. */
  close(): void {
    this.#connections.close();
  }

  /** Cancels all calls. */
  destroy(): void {
    this.#connections.destroy();
  }

  async #attempt(path: string, request: Uint8Array, limit: number, end: number): Promise<Uint8Array> {
    const member = this.#connections.current ?? (await this.#within(end, this.#connections.ready()));
    const { connection } = member;
    const token =
      this.#options.credentials && (this.#token ?? (await this.#within(end, this.token(connection))));
    const started = this.clock.monotonic();
    const milliseconds = Math.max(1, end - started);
    try {
      return await connection.unary({ path, limit, token, milliseconds, urgent: true }, request);
    } catch (error) {
      this.#learn(error, member, token, started);
      throw error;
    }
  }

  /** Updates the member and the token after an error. */
  #learn(error: unknown, member: EtcdMember, token: string | undefined, started: number): void {
    if (!(error instanceof GrpcError)) return;
    if (isTokenRefusal(error)) this.forget(token);
    if (USELESS_MEMBER.has(error.message)) this.leave(member);
    const isTimeout = error.code === GrpcCode.deadlineExceeded;
    if (isTimeout && member.connection.silentSince(started)) member.connection.destroy();
  }

  #maySucceedAgain(error: unknown, repeatable: boolean): boolean {
    if (!(error instanceof GrpcError)) return false;
    if (error.unprocessed || TURNED_AWAY.has(error.message)) return true;
    if (isTokenRefusal(error)) return this.#options.credentials !== undefined;
    return repeatable && error.code === GrpcCode.unavailable;
  }

  /** @throws GrpcError after `end` */
  #within<T>(end: number, response: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timeOut = (): void => {
        const text = 'no endpoint could be reached in time';
        reject(new GrpcError(GrpcCode.unavailable, text, { unprocessed: true }));
      };
      const timer = this.clock.setTimer(end - this.clock.monotonic(), timeOut);
      response.then(resolve, reject).finally(() => timer.clear());
    });
  }

  /** Identifies a member, and accepts it only if it can serve. */
  async #greet(connection: EtcdConnection): Promise<EtcdMember> {
    const { header, version, leader, learner } = await this.#status(connection);
    if (!isSupportedVersion(version)) {
      const text = `${connection.endpoint} is an etcd ${version || 'of no version'}; 3.4 or later is needed`;
      throw new EtcdStoreError('unsupported', text);
    }
    this.#cluster ??= header?.clusterId;
    if (header?.clusterId !== this.#cluster) {
      const text = `${connection.endpoint} belongs to another cluster than the endpoint that was used first`;
      throw new EtcdStoreError('foreign-cluster', text);
    }
    if (leader === 0n || learner) throw useless(connection, learner ? 'is a learner' : 'has no leader');
    return { connection, progress: hasOrderedProgress(version) };
  }

  async #status(connection: EtcdConnection): Promise<MemberStatus> {
    const token = await this.token(connection);
    try {
      return await this.#call(connection, statusMethod, {});
    } catch (error) {
      if (error instanceof GrpcError && isTokenRefusal(error)) this.forget(token);
      throw error;
    }
  }

  #renew(connection: EtcdConnection): Promise<string | undefined> {
    this.#renewing ??= this.#authenticate(connection).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #authenticate(connection: EtcdConnection): Promise<string | undefined> {
    const { credentials } = this.#options;
    if (!credentials) return undefined;
    try {
      const { token } = await this.#call(connection, authenticateMethod, credentialsRequest(credentials));
      this.#token = token;
      return token;
    } catch (error) {
      // an etcd without authentication accepts every call without a token
      if (GrpcError.is(error, GrpcCode.failedPrecondition, AUTHENTICATION_OFF)) return undefined;
      if (!GrpcError.is(error, GrpcCode.invalidArgument)) throw error;
      const text = `etcd does not take the user ${JSON.stringify(credentials.user)} with the password given`;
      throw new EtcdStoreError('credentials', text, error);
    }
  }

  async #call<Q, A>(connection: EtcdConnection, method: EtcdMethod<Q, A>, request: Q): Promise<A> {
    const options = {
      path: method.path,
      limit: RESPONSE_LIMIT,
      token: this.#token,
      milliseconds: this.#options.connectMilliseconds,
      urgent: true,
    };
    return method.response.decode(await connection.unary(options, method.request.encode(request)));
  }
}

const AUTHENTICATION_OFF = 'etcdserver: authentication is not enabled';

/** The token has expired, or users and roles have changed since it was issued. */
export function isTokenRefusal(error: GrpcError): boolean {
  if (error.code === GrpcCode.unauthenticated) return true;
  return GrpcError.is(error, GrpcCode.invalidArgument, 'etcdserver: revision of auth store is old');
}

const credentialsRequest = ({ user, password }: { user: string; password: string }) => ({ user, password });

const useless = ({ endpoint }: EtcdConnection, why: string): GrpcError =>
  new GrpcError(GrpcCode.unavailable, `the member at ${endpoint} ${why}`, { unprocessed: true });
