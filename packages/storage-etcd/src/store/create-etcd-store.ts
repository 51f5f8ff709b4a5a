import type { Clock, TransportTls } from '@ashlar/core';
import { EtcdClient } from '../client/etcd-client.ts';
import { EtcdEngine } from './etcd-engine.ts';
import { EtcdKeys } from './etcd-keys.ts';
import type { EtcdStore } from './etcd-store.ts';
import { EtcdStoreError } from './etcd-store-error.ts';
import { systemClock } from './system-clock.ts';

/** Endpoints and options of an etcd store. Times are milliseconds. */
export interface EtcdStoreOptions {
  /** URLs of members, `http://` or `https://`, in order of preference. */
  readonly endpoints: readonly string[];
  /** Prefix of every key; begins with `/`, or is empty. Default `/registry`. */
  readonly prefix?: string;
  /** Certificates for `https://` endpoints, in PEM. */
  readonly tls?: TransportTls;
  readonly user?: string;
  readonly password?: string;
  /** Clock of deadlines, pauses and leases, by its monotonic time; default: the machine's. */
  readonly clock?: Clock;
  /** Timeout of a call, including retries; default 10,000. */
  readonly requestMilliseconds?: number;
  /** Timeout of a connection attempt to one endpoint; default 3,000. */
  readonly connectMilliseconds?: number;
  /** Timeout of the first connection to any endpoint; default 10,000. */
  readonly openMilliseconds?: number;
  /** Silence of a connection with watches after which a ping is sent; default 10,000. */
  readonly keepAliveMilliseconds?: number;
  /** The server's `--max-request-bytes`, reported to callers with larger values; default 1.5 MiB, as for etcd. */
  readonly maxRequestBytes?: number;
}

/** The flags of etcd that limit the size of requests and the interval of pings. */
const ETCD_REQUEST_BYTES = 1.5 * 2 ** 20;
const ETCD_PING_MILLISECONDS = 5000;

/**
 * Opens a store in an etcd cluster (3.4 or later). Any number of stores, in any number of processes, may
 * share one.
 *
 * A call that etcd does not answer fails with a StatusError 503 or 504 with a retry time; such a write may
 * have been made. Watches survive lost connections.
 *
 * @throws EtcdStoreError if no endpoint can be used: unreachable, wrong certificate, wrong password, not etcd
 * @throws TypeError if the options are invalid
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

/** Whether progress notifications of the first responding member are reliable. */
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
