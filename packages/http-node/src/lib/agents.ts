import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ForwardProxy } from './forward-proxy.ts';

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
  #closing = new AbortController();

  override getName(options: ConnectionOptions = {}): string {
    return nameThrough(options, super.getName(options));
  }

  override createConnection(options: ConnectionOptions, opened?: Opened): ReturnType<CreateConnection> {
    const { proxy } = options;
    if (!proxy) return super.createConnection(options, opened);
    return hand(
      connectThrough(proxy, options, this.#closing.signal, (socket) => socket),
      opened,
    );
  }

  override destroy(): void {
    this.#closing = closed(this.#closing);
    super.destroy();
  }
}

/** Encrypted connections of one caller. The agent tells those of different TLS settings apart by itself. */
export class CallerAgent extends HttpsAgent {
  readonly #arriving = new Set<IncomingMessage>();
  #retired = false;
  #closing = new AbortController();

  override getName(options: ConnectionOptions = {}): string {
    return nameThrough(options, super.getName(options));
  }

  override createConnection(options: ConnectionOptions, opened?: Opened): ReturnType<CreateConnection> {
    const { proxy } = options;
    if (!proxy) return super.createConnection(options, opened);
    const encrypt = (socket: Socket) => super.createConnection({ ...options, socket } as object);
    return hand(connectThrough(proxy, options, this.#closing.signal, encrypt), opened);
  }

  override destroy(): void {
    this.#closing = closed(this.#closing);
    super.destroy();
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
    this.#closing.abort(reason);
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

/**
 * Opens a connection for an agent.
 * @param signal of whoever gives up all of them
 * @param finish makes of a connection to the server what the agent keeps
 */
async function connectThrough(
  proxy: ForwardProxy,
  { host, port }: ConnectionOptions,
  signal: AbortSignal,
  finish: (socket: Socket) => Duplex | null | undefined,
): Promise<Duplex> {
  const socket = await proxy.connect(host ?? 'localhost', Number(port), signal);
  try {
    return finish(socket) as Duplex;
  } catch (error) {
    // of a certificate, for one, that cannot be loaded
    socket.destroy();
    throw error;
  }
}

function hand(connection: Promise<Duplex>, opened: Opened | undefined): undefined {
  connection.then(
    (made) => opened?.(null, made),
    (error: Error) => opened?.(error, undefined as unknown as Duplex),
  );
}

/** Gives up connections that are being opened; those that are asked for later are given up by the next. */
function closed(controller: AbortController): AbortController {
  controller.abort(new Error('the transport was closed'));
  return new AbortController();
}
