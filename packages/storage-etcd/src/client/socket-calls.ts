import type { Clock } from '@ashlar/core';
import { EtcdConnection } from './etcd-connection.ts';
import { GrpcCode, GrpcError } from './grpc-error.ts';

/** Where a gRPC service listens, and how long calls to it may take. */
export interface SocketCallsOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Limit of a call with its connection, in milliseconds. */
  readonly milliseconds: number;
}

/** Maximum size of a result in bytes. */
const MAXIMUM_RESPONSE_BYTES = 4 << 20;
const KEEP_ALIVE_MILLISECONDS = 30_000;
const PING_TIMEOUT_MILLISECONDS = 10_000;

/** Calls a gRPC service behind a Unix socket: with one connection, which is opened again when it is lost. */
export class SocketCalls implements Disposable {
  readonly #options: SocketCallsOptions;
  #connection: Promise<EtcdConnection> | undefined;
  #open: EtcdConnection | undefined;

  constructor(options: SocketCallsOptions) {
    this.#options = options;
  }

  /**
   * One request, one response.
   * @param path of the method: `/v2.KeyManagementService/Status`
   * @throws Error of which {@link grpcStatusOf} names the status
   */
  async call(path: string, request: Uint8Array): Promise<Uint8Array> {
    const connection = await this.#connected();
    const { milliseconds } = this.#options;
    const options = { path, limit: MAXIMUM_RESPONSE_BYTES, token: undefined, milliseconds, urgent: true };
    return connection.unary(options, request);
  }

  [Symbol.dispose](): void {
    this.#open?.destroy();
    this.#open = undefined;
    this.#connection = undefined;
  }

  async #connected(): Promise<EtcdConnection> {
    if (this.#open?.usable) return this.#open;
    this.#connection ??= this.#connect().finally(() => {
      this.#connection = undefined;
    });
    return this.#connection;
  }

  async #connect(): Promise<EtcdConnection> {
    const { path, clock, milliseconds } = this.#options;
    this.#open = await EtcdConnection.open('http://localhost', {
      ...{ clock, tls: undefined, socketPath: path, connectMilliseconds: milliseconds },
      keepAliveMilliseconds: KEEP_ALIVE_MILLISECONDS,
      pingIntervalMilliseconds: KEEP_ALIVE_MILLISECONDS,
      pingTimeoutMilliseconds: PING_TIMEOUT_MILLISECONDS,
    });
    return this.#open;
  }
}

/** The gRPC status of a failed call as logs and metrics name it: `Unavailable`, `DeadlineExceeded`. */
export function grpcStatusOf(error: unknown): string {
  const code = error instanceof GrpcError ? error.code : GrpcCode.unknown;
  const name = Object.entries(GrpcCode).find(([, number]) => number === code)?.[0] ?? 'unknown';
  return name.charAt(0).toUpperCase() + name.slice(1);
}
