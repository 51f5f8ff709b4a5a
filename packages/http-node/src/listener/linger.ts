import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const lastAnswers = new WeakSet<Duplex>();

/** Notes that the answer which now begins is the last one on its connection. */
export function beginLastAnswer(socket: Duplex): void {
  lastAnswers.add(socket);
}

/** Whether the last answer of a connection has begun: nothing that comes behind its request counts. */
export function hasLastAnswer(socket: Duplex): boolean {
  return lastAnswers.has(socket);
}

/** How long a connection stays open after its last answer. */
export const LINGER_MILLISECONDS = 500;

/**
 * Ends a connection behind its last answer. Closing a socket with unread bytes resets it, and the caller may lose the answer: the
 * sending side is closed first, and what still arrives is thrown away for a moment (RFC 9112 section 9.6).
 */
export function endThenDestroy(socket: Duplex, lastBytes?: string): void {
  socket.end(lastBytes);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
  socket.once('close', () => clearTimeout(timer));
}

/** Has Node end a connection so when the answer that it writes is over. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => endThenDestroy(socket);
}
