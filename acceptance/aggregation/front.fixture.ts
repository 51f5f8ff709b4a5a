import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { ApiService } from '@ashlar/aggregation';
import { createBearerAuthenticator, createStaticTokens, withAuthenticatedGroup } from '@ashlar/authn';
import { createNodeTransport, type Listener, listen } from '@ashlar/http-node';
import { type ApiServer, type Certificates, createApiServer, createServingCertificate } from '@ashlar/server';

/** The versions of `example.com` that backends serve. */
export type Backend = (socket: TLSSocket, request: string) => void;

/** A server in front of others, on a port of this machine, with plain HTTP. */
export interface Front extends AsyncDisposable {
  readonly server: ApiServer;
  readonly listener: Listener;
  /** Registers a version of `example.com`, and waits until it is judged. Returns the reason. */
  register(version: string, port: number, spec?: object): Promise<string>;
  /** Asks as the administrator. */
  ask(path: string, options?: RequestInit): Promise<Response>;
  /** The same with the path as it is, which others would normalize. */
  statusOf(path: string): Promise<number | undefined>;
}

/** Certificates of the services that backends are. */
const certificates: Promise<Certificates> = createServingCertificate({
  hosts: ['backend.default.svc'],
});

export async function startFront(): Promise<Front> {
  const transport = createNodeTransport();
  const pair = await createServingCertificate();
  const ports = new Map<string, number>();
  const server = createApiServer({
    transport,
    resolveService: ({ port }) => `https://127.0.0.1:${port}`,
    proxyClient: () => pair,
    requestTimeoutMilliseconds: 2_000,
    authenticator: () =>
      withAuthenticatedGroup(
        createBearerAuthenticator(
          createStaticTokens(
            [{ token: 'admin-token', user: { name: 'admin', groups: ['system:masters'] } }],
            { bytes: (into) => into },
          ),
        ),
      ),
    onError: () => {},
  });
  await server.ready;
  const listener = await listen(server.handler, { onError: () => {} });
  const services = server.client.resource<ApiService>({
    ...{ group: 'apiregistration.orch.io', version: 'v1', resource: 'apiservices', kind: 'APIService' },
  });
  return {
    server,
    listener,
    async register(version, port, spec = {}) {
      ports.set(version, port);
      const name = `${version}.example.com`;
      const { certificateAuthority } = await certificates;
      const service = { name: 'backend', namespace: 'default', port };
      await services.create({
        metadata: { name },
        spec: {
          ...{ group: 'example.com', version, groupPriorityMinimum: 2000, versionPriority: 15, service },
          caBundle: Buffer.from(certificateAuthority).toString('base64'),
          ...spec,
        },
      });
      for await (const { object } of services.watch()) {
        const reason = object.metadata.name === name && object.status?.conditions?.[0]?.reason;
        if (reason) return reason;
      }
      throw new Error('the watch ended');
    },
    ask: (path, { headers, ...options } = {}) =>
      fetch(listener.url + path, {
        ...options,
        headers: { authorization: 'Bearer admin-token', ...headers },
      }),
    async statusOf(path) {
      const asked = get(listener.url, { path, headers: { authorization: 'Bearer admin-token' } });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    },
    async [Symbol.asyncDispose]() {
      await listener.close({ graceMilliseconds: 0 });
      await server.close();
      transport.close();
    },
  };
}

const DISCOVERY = JSON.stringify({ kind: 'APIResourceList', resources: [] });
const VERSION = /^GET \/apis\/example\.com\/[^/ ]+ HTTP/;

const respondJson = (socket: TLSSocket, body: string): boolean =>
  socket.write(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );

/**
 * Answers as HTTP does what a server is asked for before it is used, and leaves all else to the backend.
 *
 * @param documents what it publishes, by path; default: nothing but that its versions have no resources
 */
export async function startBackend(
  backend: Backend,
  documents: Readonly<Record<string, object>> = {},
): Promise<{ readonly port: number } & Disposable> {
  const { certificate, key } = await certificates;
  const sockets = new Set<TLSSocket>();
  const server = createTlsServer(
    { cert: certificate, key, requestCert: true, rejectUnauthorized: false },
    (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (data) => {
        const request = data.toString('latin1');
        const document = documents[request.split(' ', 2)[1] ?? ''];
        if (document) respondJson(socket, JSON.stringify(document));
        else if (VERSION.test(request)) respondJson(socket, DISCOVERY);
        else if (/^GET \/(apis|openapi)[^ ]* HTTP/.test(request) && !request.includes('/apis/example.com/'))
          socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
        else backend(socket, request);
      });
    },
  );
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
