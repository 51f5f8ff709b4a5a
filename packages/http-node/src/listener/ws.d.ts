/** What is used of the library, which brings no types. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage } from 'node:http';
  import type { Duplex } from 'node:stream';

  export class WebSocket extends EventEmitter {
    constructor(
      url: string,
      protocols?: readonly string[],
      options?: { ca?: string; headers?: Readonly<Record<string, string>> },
    );
    readonly protocol: string;
    readonly bufferedAmount: number;
    send(data: Uint8Array, options: { binary: boolean }): void;
    close(code?: number): void;
    pause(): void;
    resume(): void;
    terminate(): void;
  }

  export class WebSocketServer extends EventEmitter {
    constructor(options: {
      noServer: true;
      clientTracking: false;
      perMessageDeflate: false;
      maxPayload: number;
      handleProtocols: (protocols: Set<string>, request: IncomingMessage) => string | false;
    });
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      ready: (socket: WebSocket) => void,
    ): void;
  }
}
