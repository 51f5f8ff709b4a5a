import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Turns } from '@ashlar/core';
import { holdReads } from './held-reads.ts';

/** What reading a message may take before others go first, in milliseconds: twenty connections may do the same at once. */
const COSTLY_MILLISECONDS = 1;

/** What reading the current message of a connection has taken since its last turn, in milliseconds. */
interface Cost {
  milliseconds: number;
  /** Adds what the listeners before it took. */
  readonly add: () => void;
}

/** Connections that are paced. */
const paced = new WeakMap<Socket, Cost>();

/**
 * Makes a connection of HTTP/1.1 wait for its turn whenever reading a request, or the response to a forwarded one, took long. Node parses at once all that it has read, such
 * as chunks of a byte, of which one read may hold ten thousand. Requests of other connections cost little per byte, and Node's parser
 * reads them itself, which is faster.
 */
export function paceReads(socket: Socket, turns: Turns): void {
  const known = paced.get(socket);
  if (!known) {
    begin(socket, turns);
    return;
  }
  known.milliseconds = 0;
  // Node's client listens anew for each response
  socket.off('data', known.add).on('data', known.add);
}

function begin(socket: Socket, turns: Turns): void {
  let begun = 0;
  const cost: Cost = {
    milliseconds: 0,
    add() {
      cost.milliseconds += performance.now() - begun;
      if (cost.milliseconds > COSTLY_MILLISECONDS) void waitForTurn(socket, turns, cost);
    },
  };
  paced.set(socket, cost);
  // a socket with listeners of its own is no longer read by Node's parser itself, but piece by piece
  socket.prependListener('data', () => {
    begun = performance.now();
  });
  socket.on('data', cost.add);
  // the rest of what has been read is parsed now
  void waitForTurn(socket, turns, cost);
}

async function waitForTurn(socket: Socket, turns: Turns, cost: Cost): Promise<void> {
  const release = holdReads(socket);
  const { milliseconds } = cost;
  cost.milliseconds = 0;
  await turns.pause(milliseconds);
  release();
}
