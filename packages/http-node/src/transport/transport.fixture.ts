import type { Handler, ServerResponse, TransportTls } from '@ashlar/core';
import { afterEach } from 'vitest';
import * as certificates from '../listener/certificates.fixture.ts';
import { type Listener, listen } from '../listener/listen.ts';
import type { ListenTls } from '../listener/listen-options.ts';
import type { NodeTransport } from './node-transport.ts';

export const tls: ListenTls = certificates.server;
/** How transports verify a server with {@link tls}. */
export const ca: TransportTls = { certificateAuthorities: certificates.authority };

export const text = (body: string): ServerResponse => ({
  status: 200,
  headers: {},
  body: new TextEncoder().encode(body),
});

/** Resources of the tests of a file, closed after each test. */
export interface TransportTests {
  /** Listens until the test is over, and returns the URL. */
  serve(handler: Handler, served?: ListenTls, port?: number): Promise<string>;
  stopServing(): Promise<unknown>;
  /** Closes a transport when the test is over. */
  opened(transport: NodeTransport): NodeTransport;
}

/** Called once per file: it registers a hook for the tests of that file. */
export function transportTests(): TransportTests {
  const listeners: Listener[] = [];
  const transports: NodeTransport[] = [];
  const stopServing = (): Promise<unknown> =>
    Promise.all(listeners.splice(0).map((listener) => listener.close({ graceMilliseconds: 0 })));
  afterEach(async () => {
    for (const transport of transports.splice(0)) transport.close();
    await stopServing();
  });
  return {
    async serve(handler, served = tls, port = 0) {
      const listener = await listen(handler, { tls: served, port });
      listeners.push(listener);
      return listener.url;
    },
    stopServing,
    opened(transport) {
      transports.push(transport);
      return transport;
    },
  };
}

/** A server that delays responses, and requests client certificates. */
export interface SlowServer {
  readonly url: string;
  /** The connections of the requests. */
  readonly seen: readonly unknown[];
  /** Answers one pending PUT. */
  readonly finish: readonly (() => void)[];
}

/** Answers a GET with an endless body, a PUT on demand, and anything else immediately. */
export async function serveSlowly(serve: TransportTests['serve']): Promise<SlowServer> {
  const seen: unknown[] = [];
  const finish: (() => void)[] = [];
  const handler: Handler = async ({ method, connection }) => {
    seen.push(connection);
    if (method === 'PUT') await new Promise<void>((resolve) => finish.push(resolve));
    return method === 'GET' ? { ...text(''), body: (sink) => void sink.write(Buffer.from('a')) } : text('x');
  };
  const url = await serve(handler, { ...tls, clientCertificateAuthorities: certificates.authority });
  return { url, seen, finish };
}
