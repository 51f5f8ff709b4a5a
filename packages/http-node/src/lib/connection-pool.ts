import { type AgentOptions, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TransportTls } from '@ashlar/core';
import type { ForwardProxy } from './forward-proxy.ts';

/**
 * The connections that a transport keeps. Those on which a certificate is shown are kept apart from the others, so that
 * they can be ended when the certificate is replaced.
 */
export class ConnectionPool {
  readonly #options: AgentOptions;
  readonly #plain: PlainAgent;
  readonly #nameless: CallerAgent;
  readonly #callers = new Map<string, CallerAgent>();

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#plain = new PlainAgent(options);
    this.#nameless = new CallerAgent(options);
  }

  /** Where a request without encryption goes. */
  get plain(): PlainAgent {
    return this.#plain;
  }

  /** Where an encrypted request goes. */
  encrypted(tls: TransportTls | undefined): CallerAgent {
    if (tls?.certificate === undefined) return this.#nameless;
    const agent = this.#callers.get(tls.certificate) ?? new CallerAgent(this.#options);
    this.#callers.set(tls.certificate, agent);
    return agent;
  }

  /** Ends the connections on which a certificate is shown. */
  retire(certificate: string): void {
    this.#callers.get(certificate)?.retire();
    this.#callers.delete(certificate);
  }

  /** Ends all connections. */
  close(): void {
    for (const agent of [this.#plain, this.#nameless, ...this.#callers.values()]) agent.destroy();
    this.#callers.clear();
  }
}

/** What agents are asked for a connection with: what a request was made with. */
interface ProxiedOptions {
  /** Carries the connection. */
  readonly proxy?: ForwardProxy;
}

type Opened = (error: Error | null, connection: Duplex) => void;
type CreateConnection = HttpAgent['createConnection'];
type ConnectionOptions = Parameters<CreateConnection>[0] & ProxiedOptions;

/** Connections without encryption. */
export class PlainAgent extends HttpAgent {
  override getName(options: ConnectionOptions = {}): string {
    return nameThrough(options, super.getName(options));
  }

  override createConnection(options: ConnectionOptions, opened?: Opened): ReturnType<CreateConnection> {
    if (!options.proxy) return super.createConnection(options, opened);
    connectThrough(options.proxy, options, opened, (socket) => socket);
    return undefined;
  }
}

/** Encrypted connections of one caller. The agent tells those of different TLS settings apart by itself. */
export class CallerAgent extends HttpsAgent {
  readonly #arriving = new Set<IncomingMessage>();
  #retired = false;

  override getName(options: ConnectionOptions = {}): string {
    return nameThrough(options, super.getName(options));
  }

  override createConnection(options: ConnectionOptions, opened?: Opened): ReturnType<CreateConnection> {
    const { proxy } = options;
    if (!proxy) return super.createConnection(options, opened);
    connectThrough(proxy, options, opened, (socket) =>
      super.createConnection({ ...options, socket } as object),
    );
    return undefined;
  }

  /** An answer whose head is there and whose body is yet to be read. */
  follow(answer: IncomingMessage): void {
    if (this.#retired) return;
    this.#arriving.add(answer);
    answer.once('close', () => this.#arriving.delete(answer));
  }

  /** Requests that wait for their answer get it; nothing is kept afterwards. */
  retire(): void {
    this.#retired = true;
    for (const sockets of Object.values(this.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
    const reason = new Error('the certificate of the connection has been replaced');
    for (const answer of this.#arriving) answer.destroy(reason);
  }

  /** Asked by Node when a connection has become idle. */
  override keepSocketAlive(socket: Duplex): boolean {
    // Node's answer is missing in its types
    return !this.#retired && (super.keepSocketAlive(socket) as unknown as boolean);
  }
}

/** Connections by way of different proxies are told apart. */
const nameThrough = ({ proxy }: ProxiedOptions, name: string): string =>
  proxy ? `${name}:${proxy.name}` : name;

/** @param finish makes of a connection to the server what the agent keeps */
function connectThrough(
  proxy: ForwardProxy,
  { host, port }: ConnectionOptions,
  opened: Opened | undefined,
  finish: (socket: Socket) => Duplex | null | undefined,
): void {
  proxy.connect(host ?? 'localhost', Number(port)).then(
    (socket) => opened?.(null, finish(socket) as Duplex),
    (error: Error) => opened?.(error, undefined as unknown as Duplex),
  );
}
