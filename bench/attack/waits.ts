import type { Target } from './attack.ts';
import { awakeNow } from './awake-time.ts';
import { exchange, openSocket, requestBytes } from './raw-request.ts';

/** Timeout of a response, in milliseconds; other responses count as none. */
const PATIENCE = 5_000;

/** The median time of a number of gets on one connection, in milliseconds. */
export async function waits(target: Target, count: number): Promise<number> {
  const socket = await openSocket(target.port);
  const path = '/api/v1/namespaces/tenant/configmaps';
  const bytes = requestBytes({ path, headers: [target.credentials('tenant')] });
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const begun = awakeNow();
    const { status } = await exchange(socket, bytes, PATIENCE);
    times.push(status === 200 ? awakeNow() - begun : PATIENCE);
  }
  socket.destroy();
  return times.sort((a, b) => a - b)[Math.floor(count / 2)] as number;
}

/** The fault of others that waited long beside an attack; none if they did not. */
export function faultsOfWaits(alone: number, beside: number): readonly string[] {
  const longest = 100 + 3 * alone;
  return beside < longest
    ? []
    : [`half of the others waited ${beside.toFixed(0)} ms, at most ${longest.toFixed(0)}`];
}
