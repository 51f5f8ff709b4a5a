import type { Ambient, Connection, ServerRequest, WebSocketOffer } from '@ashlar/core';
import { orchVocabulary } from '@ashlar/core';

/** A request with only the fields that authenticators read. */
export function fakeRequest(
  parts: {
    readonly url?: string;
    /** By names in lower case; an array is several fields. */
    readonly headers?: Readonly<Record<string, string | readonly string[]>>;
    readonly connection?: Partial<Connection>;
    readonly webSocket?: WebSocketOffer;
  } = {},
): ServerRequest {
  const lines = Object.entries(parts.headers ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value): readonly [string, string] => [name, value]),
  );
  const all = (name: string): string[] =>
    lines.flatMap(([other, value]) => (other === name.toLowerCase() ? [value] : []));
  const connection: Connection = { encrypted: true, ...parts.connection };
  return {
    method: 'GET',
    url: parts.url ?? '/',
    headers: {
      get: (name) => all(name)[0],
      all,
      entries: () => lines,
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

/** A clock that stands still, and bytes that are always the same. */
export function fixedAmbient(now: number = Date.UTC(2030, 0, 1)): Ambient & { now: number } {
  const ambient = {
    now,
    clock: { now: () => ambient.now, monotonic: () => ambient.now, setTimer: () => ({ clear: () => {} }) },
    random: { bytes: (into: Uint8Array) => into.fill(42) },
    vocabulary: orchVocabulary,
  };
  return ambient;
}
