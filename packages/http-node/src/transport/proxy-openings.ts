import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ForwardProxy } from './forward-proxy.ts';

/** What an agent is asked for a connection with: what a request was made with. */
export type ConnectionOptions = Parameters<Agent['createConnection']>[0] & {
  /** Carries the connection. */
  readonly proxy?: ForwardProxy;
};

/** How an agent is told of a connection that takes time. */
export type Opened = (error: Error | null, connection: Duplex) => void;

/** Connections by way of different proxies are told apart. */
export const nameThrough = ({ proxy }: ConnectionOptions, name: string): string =>
  proxy ? `${name}:${proxy.name}` : name;

/** The connections of an agent that proxies are being asked for. */
export class ProxyOpenings {
  #end = new AbortController();

  /** @param finish makes of a connection to the server what the agent keeps */
  open(
    proxy: ForwardProxy,
    options: ConnectionOptions,
    opened: Opened | undefined,
    finish: (socket: Socket) => Duplex | null | undefined,
  ): undefined {
    connectThrough(proxy, options, this.#end.signal, finish).then(
      (made) => opened?.(null, made),
      (error: Error) => opened?.(error, undefined as unknown as Duplex),
    );
  }

  /** Ends them; those that are asked for later are not concerned. */
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
    // of a certificate, for one, that cannot be loaded
    socket.destroy();
    throw error;
  }
}
