import type { Server, Socket } from 'node:net';

/** The sockets that a server has accepted, so that it can be closed in any state. */
export class OpenSockets {
  readonly #open = new Set<Socket>();
  readonly #waiting: (() => void)[] = [];

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#closed(socket));
    });
  }

  /** Resolves when all are closed. */
  empty(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resets every connection. */
  destroy(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #closed(socket: Socket): void {
    this.#open.delete(socket);
    if (this.#open.size === 0) for (const call of this.#waiting.splice(0)) call();
  }
}
