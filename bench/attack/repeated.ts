import type { Socket } from 'node:net';
import type { Target } from './attack.ts';
import { exchange, openSocket, requestBytes } from './raw-request.ts';

/** Calls for the numbers from 0, eight at a time. */
export async function forEach(
  count: number,
  call: (i: number, worker: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const work = async (worker: number): Promise<void> => {
    for (let i = next++; i < count; i = next++) await call(i, worker);
  };
  await Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)));
}

/** Creates objects as the operator, over few connections. @returns their uids, in order. @throws Error if one is rejected */
export async function createMany(
  target: Target,
  path: string,
  objects: readonly object[],
): Promise<readonly string[]> {
  const sockets = new Map<number, Socket>();
  const uids: string[] = [];
  const headers = [target.credentials('operator'), 'Content-Type: application/json'];
  await forEach(objects.length, async (i, worker) => {
    const before = sockets.get(worker);
    const socket = before && !before.destroyed ? before : await openSocket(target.port);
    sockets.set(worker, socket);
    const bytes = requestBytes({ method: 'POST', path, headers, body: JSON.stringify(objects[i]) });
    const { status, body } = await exchange(socket, bytes);
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${body.slice(0, 500)}`);
    uids[i] = (JSON.parse(body) as { metadata: { uid: string } }).metadata.uid;
  });
  for (const socket of sockets.values()) socket.destroy();
  return uids;
}
