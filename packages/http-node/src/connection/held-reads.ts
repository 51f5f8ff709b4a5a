import type { Socket } from 'node:net';

/** What is known of a connection that has been held. */
interface HeldReads {
  /** How many hold it. */
  holders: number;
  /** Whether Node would read it now. */
  isWanted: boolean;
  isHandedOver: boolean;
}

const held = new WeakMap<Socket, HeldReads>();

/**
 * Stops reading a connection of HTTP/1.1 until the returned function is called. Node pauses and resumes connections for reasons of its own,
 * such as the end of a request or responses that are not read: meanwhile it is only noted what it did last, which holds afterwards.
 */
export function holdReads(socket: Socket): () => void {
  // a server of Node may be given requests without a socket, by tests
  if (typeof socket.isPaused !== 'function') return () => {};
  const reads = held.get(socket) ?? begin(socket);
  if (reads.holders === 0) {
    reads.isWanted = !socket.isPaused();
    socket.pause();
  }
  reads.holders++;
  let isHolding = true;
  return () => {
    if (!isHolding) return;
    isHolding = false;
    if (--reads.holders === 0 && reads.isWanted && !reads.isHandedOver) socket.resume();
  };
}

/** Says that a connection is not Node's any more: whoever takes it over decides when it is read. */
export function handOverReads(socket: Socket): void {
  const reads = held.get(socket);
  if (reads) reads.isHandedOver = true;
}

function begin(socket: Socket): HeldReads {
  const reads: HeldReads = { holders: 0, isWanted: true, isHandedOver: false };
  held.set(socket, reads);
  const isHeld = (): boolean => reads.holders > 0 && !reads.isHandedOver;
  const note = (method: () => Socket, isWanted: boolean) => (): Socket => {
    if (!isHeld()) return method.call(socket);
    reads.isWanted = isWanted;
    return socket;
  };
  socket.resume = note(socket.resume, true);
  socket.pause = note(socket.pause, false);
  // a socket with listeners of its own is no longer read by Node's parser itself, which would not be paused at once
  socket.on('data', () => {});
  return reads;
}
