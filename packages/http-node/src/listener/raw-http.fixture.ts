import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Listener } from './listen.ts';

/** A socket to a listener, for tests that send raw HTTP. */
export interface RawConnection {
  readonly socket: Socket;
  /** Received text. */
  text(): string;
  /** Waits until the received text satisfies the test, or the connection ends. */
  until(test: (text: string) => boolean): Promise<string>;
  /** Waits until the peer has closed. */
  closed(): Promise<string>;
}

export function openRaw(listener: Pick<Listener, 'address'>, tls?: { readonly ca: string }): RawConnection {
  const { address } = listener;
  const target = 'path' in address ? { path: address.path } : { port: address.port, host: '127.0.0.1' };
  const socket = tls ? connectTls({ ...target, ...tls, servername: 'localhost' }) : connectPlain(target);
  const chunks: Buffer[] = [];
  const text = (): string => Buffer.concat(chunks).toString('latin1');
  const waits = new Set<() => void>();
  let ended = false;
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    for (const check of waits) check();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    ended = true;
    for (const check of waits) check();
  });
  const until = (test: (text: string) => boolean): Promise<string> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!ended && !test(text())) return;
        waits.delete(check);
        resolve(text());
      };
      waits.add(check);
      check();
    });
  return { socket, text, until, closed: () => until(() => false) };
}
