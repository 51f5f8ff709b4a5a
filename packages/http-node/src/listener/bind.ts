import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { type AddressInfo, connect, type Server } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import type { ListenOptions } from './listen-options.ts';

/** The address of a listener. */
export type BoundAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** Binds a server to its address. @throws Error of Node, such as `EADDRINUSE` */
export async function bind(server: Server, options: ListenOptions): Promise<BoundAddress> {
  if (options.path !== undefined) return bindPath(server, options.path);
  await listening(server, () =>
    server.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0, backlog: 4096 }),
  );
  const { address, port } = server.address() as AddressInfo;
  return { host: address, port };
}

async function bindPath(server: Server, path: string): Promise<BoundAddress> {
  try {
    await listening(server, () => listenPrivately(server, path));
  } catch (error) {
    if (!(await isLeftOver(path, error))) throw error;
    unlinkSync(path);
    await listening(server, () => listenPrivately(server, path));
  }
  return { path };
}

/** The mask excludes others from the start; worker threads cannot set one. */
function listenPrivately(server: Server, path: string): void {
  const mask = isMainThread ? process.umask(0o177) : undefined;
  try {
    server.listen({ path, backlog: 4096 });
    if (server.listening) chmodSync(path, 0o600);
  } finally {
    if (mask !== undefined) process.umask(mask);
  }
}

/** A socket file without a listener was left by a process that died. */
async function isLeftOver(path: string, error: unknown): Promise<boolean> {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return false;
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return false;
  return new Promise((resolve) => {
    const probe = connect({ path }, () => {
      probe.destroy();
      resolve(false);
    });
    probe.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'));
  });
}

function listening(server: Server, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error): void => {
      server.off('error', done).off('listening', done);
      if (error) reject(withAdvice(error));
      else resolve();
    };
    server.once('error', done).once('listening', done);
    start();
  });
}

/** Says what to do about a port that another program has; the error is Node's. */
function withAdvice(error: NodeJS.ErrnoException & { readonly port?: number }): Error {
  if (error.code === 'EADDRINUSE' && error.port !== undefined)
    error.message += ': stop what listens there, or choose another port (0 is any free one)';
  return error;
}
