import { sleep } from '@ashlar/core';
import { StoreClosedError } from '@ashlar/storage';
import { EtcdStoreError } from '../store/etcd-store-error.ts';
import { BackOff } from './back-off.ts';
import { type ConnectionOptions, EtcdConnection } from './etcd-connection.ts';

/** A connection, and the identity of the member. */
export interface EtcdMember {
  readonly connection: EtcdConnection;
  /** Its progress notifications never overtake events. */
  readonly progress: boolean;
}

/** How to find members. */
export interface ConnectionsOptions extends ConnectionOptions {
  /** URLs, in order of preference. */
  readonly endpoints: readonly string[];
  /** Checks the member; throws if it cannot be used. */
  readonly greet: (connection: EtcdConnection) => Promise<EtcdMember>;
}

/**
 * One connection at a time: to the first endpoint that responds, and to the next one when it is lost. After a
 * round without a response there is a growing pause.
 */
export class EtcdConnections {
  readonly #options: ConnectionsOptions;
  readonly #backOff: BackOff = new BackOff(50, 2000);
  readonly #closing: AbortController = new AbortController();
  #member: EtcdMember | undefined;
  #opening: Promise<EtcdMember> | undefined;
  /** Index of the next endpoint to try. */
  #next: number = 0;
  #pause: number = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** The connected member, if any. */
  get current(): EtcdMember | undefined {
    return this.#member?.connection.usable ? this.#member : undefined;
  }

  /**
   * Connects, unless an attempt is in progress.
   * @throws GrpcError or EtcdStoreError of the last endpoint if all have failed
   */
  ready(): Promise<EtcdMember> {
    const { current } = this;
    if (current) return Promise.resolve(current);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Leaves a member that cannot serve: open calls continue, new ones go elsewhere. */
  leave({ connection }: EtcdMember): void {
    if (this.#options.endpoints.length > 1) connection.retire();
  }

  close(): void {
    this.#closing.abort(new StoreClosedError());
    this.#member?.connection.retire();
  }

  /** Cancels everything. */
  destroy(): void {
    this.#member?.connection.destroy();
  }

  async #open(): Promise<EtcdMember> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    if (this.#pause > 0) await sleep(this.#options.clock, this.#pause, signal);
    let failure: unknown;
    for (const _ of this.#options.endpoints) {
      try {
        return await this.#try();
      } catch (error) {
        signal.throwIfAborted();
        if (!(failure instanceof EtcdStoreError)) failure = error;
      }
    }
    this.#pause = this.#backOff.next();
    throw failure;
  }

  async #try(): Promise<EtcdMember> {
    const { endpoints, greet } = this.#options;
    const endpoint = endpoints[this.#next++ % endpoints.length] as string;
    const connection = await EtcdConnection.open(endpoint, this.#options).catch((error) => {
      throw tlsErrorOf(endpoint, error) ?? error;
    });
    try {
      const member = await greet(connection);
      this.#closing.signal.throwIfAborted();
      this.#backOff.reset();
      this.#pause = 0;
      this.#member = member;
      return member;
    } catch (error) {
      connection.destroy();
      throw tlsErrorOf(endpoint, error) ?? error;
    }
  }
}

/** Node's error codes of untrusted certificates and failed handshakes. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Returns the error for certificate problems of an endpoint. */
function tlsErrorOf(endpoint: string, error: unknown): EtcdStoreError | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error) || !('code' in cause) || !TLS_CODE.test(String(cause.code))) return undefined;
  return new EtcdStoreError('tls', `no secure connection to ${endpoint}: ${cause.message}`, cause);
}
