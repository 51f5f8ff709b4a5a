import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ForwardProxy } from './forward-proxy.ts';

/** Options with which an agent opens a connection: those of the request. */
export type ConnectionOptions = Parameters<Agent['createConnection']>[0] & {
  /** Carries the connection. */
  readonly proxy?: ForwardProxy;
};

/** How an agent receives a connection that takes time. */
export type Opened = (error: Error | null, connection: Duplex) => void;

/** Connections through different proxies are distinct. */
export const nameThrough = ({ proxy }: ConnectionOptions, name: string): string =>
  proxy ? `${name}:${proxy.name}` : name;

/** The connections of an agent that are being opened through proxies. */
export class ProxyOpenings {
  #end = new AbortController();

  /** @param finish converts a connection to the server to what the agent pools */
  open(
    proxy: ForwardProxy,
    options: ConnectionOptions,
    opened: Opened | undefined,
    finish: (socket: Socket) => Duplex | null | undefined,
  ): undefined {
    connectThrough(proxy, options, this.#end.signal, finish).then(
      (socket) => opened?.(null, socket),
      (error: Error) => opened?.(error, undefined as unknown as Duplex),
    );
  }

  /** Cancels them; later ones are not affected. */
  giveUp(reason: Error): void {
    this.#end.abort(reason);
    this.#end = new AbortController();
  }
}

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
    // such as a certificate that cannot be loaded
    socket.destroy();
    throw error;
  }
}
