import type { JsonObject, Transport } from '@ashlar/core';
import { createNodeTransport, listen } from '@ashlar/http-node';
import { type ApiServer, createApiServer } from '@ashlar/server';
import type { KeyValueStore } from '@ashlar/storage';
import { cached } from './shared-database.fixture.ts';

/** A received response; members must be present when read. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireObject;
}

export interface WireObject extends JsonObject {
  readonly metadata: JsonObject & {
    readonly name: string;
    readonly resourceVersion: string;
    readonly continue: string;
  };
  readonly data: { readonly text: string };
  readonly items: readonly WireObject[];
}

/** One event of a watch. */
export interface WireEvent {
  readonly type: string;
  readonly object: WireObject & { readonly code: number };
}

/** How to reach a server. */
export interface ServerAddress {
  readonly url: string;
  readonly transport: Transport;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request over a socket. @throws Error if the response is incomplete */
export type Send = (method: string, path: string, body?: object) => Promise<Answer>;

/** One of several servers over one database, with a listener of its own. */
export interface Replica extends AsyncDisposable, ServerAddress {
  readonly server: ApiServer;
  readonly send: Send;
}

/** Starts a server as the command does over a database that servers share. */
export async function startReplica(store: Promise<KeyValueStore>): Promise<Replica> {
  const storage = await cached(store);
  const server = createApiServer({ storage, controllers: false });
  await server.ready;
  const listener = await listen(server.handler);
  const transport = createNodeTransport();
  const address: ServerAddress = { url: listener.url, transport };
  return {
    ...address,
    server,
    send: sendTo(address),
    async [Symbol.asyncDispose]() {
      transport.close();
      await listener.close({ graceMilliseconds: 0 });
      await server.close();
    },
  };
}

/** Requests to any server. */
export function sendTo({ url, transport, headers }: ServerAddress): Send {
  return async (method, path, body) => {
    const response = await transport.request(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: new TextEncoder().encode(JSON.stringify(body)) }),
    });
    const text = new TextDecoder().decode(await response.body());
    return { status: response.status, headers: response.headers, body: JSON.parse(text) as WireObject };
  };
}

/** The collection of all tests. */
export const MAPS = '/api/v1/namespaces/default/configmaps';

export const configMap = (name: string, text: string, resourceVersion?: string): object => ({
  metadata: { name, ...(resourceVersion && { resourceVersion }) },
  data: { text },
});

export const versionOf = ({ metadata }: WireObject): number => Number(metadata.resourceVersion);
