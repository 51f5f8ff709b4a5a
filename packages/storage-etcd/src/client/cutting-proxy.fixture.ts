import { connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards bytes until it is to cut: then a connection ends at any byte. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  readonly cuts: number;
  /** Rejects connections, and closes open ones, while it is shut. */
  shut(isShut: boolean): void;
}

/**
 * Listens, and forwards each connection to `target`.
 * @param budget bytes from the server after which a connection is cut; undefined for never
 */
export async function startProxy(target: string, budget: () => number | undefined): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  const { port } = new URL(target);
  let cuts = 0;
  let isShut = false;
  const end = (...sockets: Socket[]): void => {
    for (const socket of sockets) {
      socket.destroy();
      open.delete(socket);
    }
  };
  const server: Server = createServer((client) => {
    if (isShut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), '127.0.0.1');
    let left = budget();
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {}).on('close', () => end(client, upstream));
    }
    client.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk) => {
      if (left === undefined || left >= chunk.length) {
        if (left !== undefined) left -= chunk.length;
        client.write(chunk);
        return;
      }
      const start = chunk.subarray(0, left);
      left = 0;
      cuts++;
      upstream.destroy();
      // bytes before the cut must arrive: the cut is inside a frame, not before it
      if (start.length > 0) client.write(start, () => end(client));
      else end(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}`,
    get cuts() {
      return cuts;
    },
    shut(value) {
      isShut = value;
      if (value) end(...open);
    },
    async [Symbol.asyncDispose]() {
      end(...open);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
