import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const lastResponses = new WeakSet<Duplex>();

/** Marks the current response as the last one on its connection. */
export function beginLastResponse(socket: Duplex): void {
  lastResponses.add(socket);
}

/** Whether the last response of a connection has begun: further requests are ignored. */
export function hasLastResponse(socket: Duplex): boolean {
  return lastResponses.has(socket);
}

/** How long a connection stays open after its last response. */
export const LINGER_MILLISECONDS = 500;

/**
 * Closes a connection after its last response. Closing a socket with unread bytes resets it, and the client
 * may lose the response: the sending side is closed first, and incoming bytes are discarded for a moment (RFC
 * 9112 section 9.6).
 */
export function endThenDestroy(socket: Duplex, lastBytes?: string): void {
  socket.end(lastBytes);
  // a parser would cost more than reading does
  socket.removeAllListeners('data');
  socket.on('data', discard);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
  socket.once('close', () => clearTimeout(timer));
}

function discard(): void {}

/** Makes Node close a connection that way after the current response. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => endThenDestroy(socket);
}
