import type { JsonObject } from '@ashlar/core';
import { listen, nodeClock } from '@ashlar/http-node';
import { type ApiServer, createApiServer } from '@ashlar/server';
import { createEtcdStore, type EtcdStoreOptions } from '@ashlar/storage-etcd';
import { withWatchCache } from '@ashlar/watch-cache';

/** What came over the wire; a member that is read must be there. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
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

/** One of several servers over one etcd, with a listener of its own. */
export interface Replica extends AsyncDisposable {
  readonly url: string;
  readonly server: ApiServer;
  /** One request over a socket. @throws Error where no answer comes whole */
  send(method: string, path: string, body?: object): Promise<Answer>;
}

/** Starts a server as the command does for `--storage etcd:URL`, with shorter patience where the test says so. */
export async function startReplica(options: EtcdStoreOptions): Promise<Replica> {
  const storage = withWatchCache(await createEtcdStore(options), { clock: nodeClock });
  const server = createApiServer({ storage, controllers: false });
  await server.ready;
  const listener = await listen(server.handler);
  return {
    url: listener.url,
    server,
    send: (method, path, body) => send(listener.url, method, path, body),
    async [Symbol.asyncDispose]() {
      await listener.close({ graceMilliseconds: 0 });
      await server.close();
    },
  };
}

/** One request to any server. */
export async function send(
  url: string,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as WireObject };
}

/** The collection that all tests write to. */
export const MAPS = '/api/v1/namespaces/default/configmaps';

export const configMap = (name: string, text: string, resourceVersion?: string): object => ({
  metadata: { name, ...(resourceVersion && { resourceVersion }) },
  data: { text },
});

export const versionOf = ({ metadata }: WireObject): number => Number(metadata.resourceVersion);
