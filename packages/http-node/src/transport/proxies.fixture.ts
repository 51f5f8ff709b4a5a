import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import type { ListenTls } from '../listener/listen-options.ts';
import { secureContextOptions } from '../listener/node-server.ts';

/** A proxy that listens until the test is over. */
interface TestProxy {
  /** `host:port`. */
  readonly address: string;
  /** Requests so far: `CONNECT host:port`, or a method and a complete URL. */
  readonly asked: readonly string[];
  readonly scheme: 'http' | 'https' | 'socks5';
  /** Closes all connections through it, and stops responding. */
  cut(): void;
}

export interface ProxyTests {
  /** An HTTP proxy, encrypted or not. @param credentials required `user:password` */
  http(options?: { readonly tls?: ListenTls; readonly credentials?: string }): Promise<TestProxy>;
  /** A SOCKS 5 proxy. */
  socks(options?: { readonly credentials?: string }): Promise<TestProxy>;
}

/** Called once per file: it registers a hook for the tests of that file. */
export function proxyTests(): ProxyTests {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });
  const start = async (server: Server, asked: string[], scheme: TestProxy['scheme']): Promise<TestProxy> => {
    const own = new Set<Socket>();
    servers.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      own.add(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      ...{ asked, scheme, address: `127.0.0.1:${(server.address() as AddressInfo).port}` },
      cut() {
        server.removeAllListeners('connect');
        server.on('connect', ({ url }: IncomingMessage) => void asked.push(`CONNECT ${url}`));
        for (const socket of own) socket.destroy();
      },
    };
  };
  return {
    http: ({ tls, credentials } = {}) => {
      const asked: string[] = [];
      const server = tls ? createHttpsServer(secureContextOptions(tls)) : createHttpServer();
      return start(answerHttp(server, asked, credentials), asked, tls ? 'https' : 'http');
    },
    socks: ({ credentials } = {}) => {
      const asked: string[] = [];
      const server = createServer((socket) => void serveSocks(socket, asked, credentials).catch(() => {}));
      return start(server, asked, 'socks5');
    },
  };
}

function answerHttp<S extends Server>(server: S, asked: string[], credentials: string | undefined): S {
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const isWelcome = ({ headers }: IncomingMessage): boolean => headers['proxy-authorization'] === wanted;
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    if (!isWelcome(incoming)) return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const { hostname, port } = new URL(`http://${incoming.url}`);
    return join(socket, hostname, Number(port), 'HTTP/1.1 200 Connection Established\r\n\r\n');
  });
  server.on('request', (incoming: IncomingMessage, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (!isWelcome(incoming)) return outgoing.writeHead(407).end();
    const { method, headers } = incoming;
    const { 'proxy-authorization': _, ...retained } = headers;
    const onwards = request(
      incoming.url as string,
      { ...(method && { method }), headers: retained },
      (response) => {
        outgoing.writeHead(response.statusCode, response.headers);
        response.pipe(outgoing);
      },
    );
    return incoming.pipe(onwards);
  });
  return server;
}

function join(socket: Socket, host: string, port: number, greeting: string | Buffer): void {
  // names of tests resolve to this machine
  const onwards = connect(port, host.endsWith('.test') ? '127.0.0.1' : host, () => {
    socket.write(greeting);
    socket.pipe(onwards).pipe(socket);
  });
  onwards.on('error', () => socket.destroy());
  socket.on('error', () => onwards.destroy());
  socket.on('close', () => onwards.destroy());
}

/** Connects to names and IPv4 addresses (RFC 1928), with or without a password (RFC 1929). */
async function serveSocks(socket: Socket, asked: string[], credentials: string | undefined): Promise<void> {
  const [, methods = 0] = await read(socket, 2);
  const offered = [...(await read(socket, methods))];
  const method = credentials === undefined ? 0 : 2;
  if (!offered.includes(method)) return void socket.end(Buffer.from([5, 0xff]));
  socket.write(Buffer.from([5, method]));
  if (credentials !== undefined) {
    const [, userLength = 0] = await read(socket, 2);
    const user = await read(socket, userLength);
    const [passwordLength = 0] = await read(socket, 1);
    const isWelcome = `${user}:${await read(socket, passwordLength)}` === credentials;
    socket.write(Buffer.from([1, isWelcome ? 0 : 1]));
    if (!isWelcome) return void socket.end();
  }
  const [, , , type] = await read(socket, 4);
  const host =
    type === 1
      ? [...(await read(socket, 4))].join('.')
      : String(await read(socket, (await read(socket, 1))[0] as number));
  const port = (await read(socket, 2)).readUInt16BE();
  asked.push(`CONNECT ${host}:${port}`);
  join(socket, host, port, Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
}

async function read(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const bytes = length === 0 ? Buffer.alloc(0) : (socket.read(length) as Buffer | null);
    if (bytes) return bytes;
    await once(socket, 'readable');
  }
}
