import type { Duplex } from 'node:stream';
import type { ByteConnection, MaybePromise } from '@ashlar/core';

/** A socket that Node has released, after the header of the response that switches protocols. */
export class NodeByteConnection implements ByteConnection {
  readonly #socket: Duplex;
  readonly #head: Uint8Array;

  /** @param head bytes received together with the header */
  constructor(socket: Duplex, head: Uint8Array) {
    this.#socket = socket;
    this.#head = head;
    // a broken connection is detected by its reader and by `close`
    socket.on('error', () => {});
  }

  async *receive(): AsyncIterable<Uint8Array> {
    if (this.#head.length > 0) yield this.#head;
    yield* this.#socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  }

  send(bytes: Uint8Array): MaybePromise<void> {
    const socket = this.#socket;
    if (!socket.writable || socket.write(bytes)) return;
    return new Promise((resolve) => {
      const ready = (): void => {
        socket.off('drain', ready).off('close', ready);
        resolve();
      };
      socket.on('drain', ready).on('close', ready);
    });
  }

  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  onClose(call: () => void): void {
    if (this.#socket.closed) call();
    else this.#socket.once('close', call);
  }
}
