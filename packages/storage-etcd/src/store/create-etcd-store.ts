import type { Clock, TransportTls } from '@ashlar/core';
import { EtcdClient } from '../client/etcd-client.ts';
import { EtcdEngine } from './etcd-engine.ts';
import { EtcdKeys } from './etcd-keys.ts';
import type { EtcdStore } from './etcd-store.ts';
import { EtcdStoreError } from './etcd-store-error.ts';
import { systemClock } from './system-clock.ts';

/** Which etcd, and how it is spoken to. Times are milliseconds. */
export interface EtcdStoreOptions {
  /** URLs of members, `http://` or `https://`, in the order of preference. */
  readonly endpoints: readonly string[];
  /** Begins with `/`, or is empty; every key lies behind it. `/registry` unless told. */
  readonly prefix?: string;
  /** Certificates for `https://` endpoints, as PEM texts. */
  readonly tls?: TransportTls;
  readonly user?: string;
  readonly password?: string;
  /** Deadlines, pauses and leases go by its monotonic time; the machine's unless told. */
  readonly clock?: Clock;
  /** For a request, with all attempts; 10,000 unless told. */
  readonly requestMilliseconds?: number;
  /** For a connection to one endpoint; 3,000 unless told. */
  readonly connectMilliseconds?: number;
  /** For the first connection to any endpoint; 10,000 unless told. */
  readonly openMilliseconds?: number;
  /** Silence of a connection with watches behind which the other side is asked whether it is there; 10,000 unless told. */
  readonly keepAliveMilliseconds?: number;
  /** The server's `--max-request-bytes`, told to callers whose values are larger; 1.5 MiB unless told, as with etcd. */
  readonly maxRequestBytes?: number;
}

/** The flags of etcd for how large a request may be, and how often it may be asked for a sign of life. */
const ETCD_REQUEST_BYTES = 1.5 * 2 ** 20;
const ETCD_PING_MILLISECONDS = 5000;

/**
 * Opens a store in an etcd cluster (3.4 or later). Any number of stores, in any number of processes, may share one.
 *
 * A call that etcd does not answer fails with a StatusError 503 or 504 that says when to try again; a write that fails so
 * may have been made. Watches outlive lost connections.
 *
 * @throws EtcdStoreError if no endpoint can be used: unreachable, wrong certificate, wrong password, no etcd
 * @throws TypeError if the options make no sense
 * @example
 * const store = await createEtcdStore({ endpoints: ['http://127.0.0.1:2379'] });
 * await store.put('/pods/default/a', bytes, { ifRevision: 0 });
 * await store[Symbol.asyncDispose]();
 */
export async function createEtcdStore(options: EtcdStoreOptions): Promise<EtcdStore> {
  const {
    prefix = '/registry',
    clock = systemClock,
    requestMilliseconds = 10_000,
    openMilliseconds = 10_000,
    maxRequestBytes = ETCD_REQUEST_BYTES,
  } = options;
  const keys = new EtcdKeys(prefix);
  const client = new EtcdClient({
    clock,
    endpoints: options.endpoints.map(toEndpoint),
    tls: options.tls,
    credentials: credentialsOf(options),
    requestMilliseconds,
    connectMilliseconds: options.connectMilliseconds ?? 3000,
    keepAliveMilliseconds: options.keepAliveMilliseconds ?? 10_000,
    pingIntervalMilliseconds: ETCD_PING_MILLISECONDS + 500,
    pingTimeoutMilliseconds: 2000,
  });
  if (options.endpoints.length === 0) throw new TypeError('there is no endpoint');
  const progress = await connect(client, openMilliseconds);
  return new EtcdEngine({ client, keys, maxRequestBytes, progress, requestMilliseconds });
}

/** Whether the member that answers first can be trusted to tell progress. */
async function connect(client: EtcdClient, milliseconds: number): Promise<boolean> {
  const end = client.clock.monotonic() + milliseconds;
  for (;;) {
    try {
      return (await client.member()).progress;
    } catch (error) {
      if (error instanceof EtcdStoreError) throw error;
      if (client.clock.monotonic() < end) continue;
      client.close();
      throw new EtcdStoreError('unreachable', `etcd cannot be reached: ${(error as Error).message}`, error);
    }
  }
}

/** @throws TypeError if a text is not a URL of an endpoint */
function toEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.origin;
  throw new TypeError(
    `the endpoint ${JSON.stringify(text)} is not a URL that begins with http:// or https://`,
  );
}

function credentialsOf({ user, password }: EtcdStoreOptions): { user: string; password: string } | undefined {
  if (user === undefined && password === undefined) return undefined;
  if (user === undefined || password === undefined)
    throw new TypeError('a user needs a password, and a password a user');
  return { user, password };
}
