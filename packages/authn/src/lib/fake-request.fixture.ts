import type { Ambient, Connection, ServerRequest, WebSocketOffer } from '@ashlar/core';
import { orchVocabulary } from '@ashlar/core';

/** A request of which only what authenticators look at is there. */
export function fakeRequest(
  parts: {
    readonly url?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly connection?: Partial<Connection>;
    readonly webSocket?: WebSocketOffer;
  } = {},
): ServerRequest {
  const headers = new Map(Object.entries(parts.headers ?? {}));
  const connection: Connection = { encrypted: true, ...parts.connection };
  return {
    method: 'GET',
    url: parts.url ?? '/',
    headers: {
      get: (name) => headers.get(name.toLowerCase()),
      all: (name) => [headers.get(name.toLowerCase())].filter((value) => value !== undefined),
      entries: () => headers,
    },
    connection,
    webSocket: parts.webSocket,
    signal: new AbortController().signal,
    body: async () => new Uint8Array(0),
  };
}

/** A request with a bearer token. */
export function withToken(token: string): ServerRequest {
  return fakeRequest({ headers: { authorization: `Bearer ${token}` } });
}

/** A time that stands where it is put, and bytes that are always the same. */
export function fixedAmbient(now: number = Date.UTC(2030, 0, 1)): Ambient & { now: number } {
  const ambient = {
    now,
    clock: { now: () => ambient.now, monotonic: () => ambient.now, setTimer: () => ({ clear: () => {} }) },
    random: { bytes: (into: Uint8Array) => into.fill(42) },
    vocabulary: orchVocabulary,
  };
  return ambient;
}
