import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkServerNames } from './check-server-names.ts';
import { certificateReplaced, transportClosed } from './connection-end.ts';
import { type ConnectionOptions, nameThrough, type Opened, ProxyOpenings } from './proxy-openings.ts';

type CreateConnection = HttpAgent['createConnection'];

/** Unencrypted connections. */
export class PlainAgent extends HttpAgent {
  readonly #openings = new ProxyOpenings();

  override getName(options: ConnectionOptions = {}): string {
    return nameThrough(options, super.getName(options));
  }

  override createConnection(options: ConnectionOptions, opened?: Opened): ReturnType<CreateConnection> {
    if (!options.proxy) return super.createConnection(options, opened);
    return this.#openings.open(options.proxy, options, opened, (socket) => socket);
  }

  override destroy(): void {
    this.#openings.giveUp(transportClosed());
    super.destroy();
  }
}

/** Encrypted connections of one client. The agent separates those of different TLS settings. */
export class CallerAgent extends HttpsAgent {
  readonly #arriving = new Set<IncomingMessage>();
  #retired = false;
  readonly #openings = new ProxyOpenings();

  constructor(options: AgentOptions) {
    // newer releases of Node do not reuse the connections of requests that bring a check of their own
    super({ ...options, checkServerIdentity: checkServerNames });
  }

  override getName(options: ConnectionOptions = {}): string {
    return nameThrough(options, super.getName(options));
  }

  override createConnection(options: ConnectionOptions, opened?: Opened): ReturnType<CreateConnection> {
    if (!options.proxy) return super.createConnection(options, opened);
    const encrypt = (socket: Socket) => super.createConnection({ ...options, socket } as object);
    return this.#openings.open(options.proxy, options, opened, encrypt);
  }

  override destroy(): void {
    this.#openings.giveUp(transportClosed());
    super.destroy();
  }

  /** A response whose header has arrived and whose body is unread. */
  follow(response: IncomingMessage): void {
    if (this.#retired) return;
    this.#arriving.add(response);
    response.once('close', () => this.#arriving.delete(response));
  }

  /** Pending requests complete; connections are not reused afterwards. */
  retire(): void {
    this.#retired = true;
    for (const sockets of Object.values(this.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
    const reason = certificateReplaced();
    this.#openings.giveUp(reason);
    for (const response of this.#arriving) response.destroy(reason);
  }

  /** Called by Node when a connection becomes idle. */
  override keepSocketAlive(socket: Duplex): boolean {
    // the return value is missing in Node's types
    return !this.#retired && (super.keepSocketAlive(socket) as unknown as boolean);
  }
}
