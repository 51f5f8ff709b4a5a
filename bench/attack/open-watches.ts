import type { Socket } from 'node:net';
import type { Target } from './attack.ts';
import { openSocket, requestBytes } from './raw-request.ts';
import { forEach } from './repeated.ts';

/** Opens watches of the tenant, and leaves what they receive unread. @throws Error if one is refused */
export async function openWatches(
  target: Target,
  count: number,
  pathOf: (i: number) => string,
): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  await forEach(count, async (i) => {
    const socket = await openSocket(target.port);
    const answer = new Promise<string>((resolve, reject) => {
      socket.once('data', (data: Buffer) => resolve(data.toString('latin1')));
      socket.once('close', () => reject(new Error('a watch has been closed')));
    });
    socket.write(requestBytes({ path: pathOf(i), headers: [target.credentials('tenant')] }));
    const status = (await answer).slice(9, 12);
    if (status !== '200') throw new Error(`a watch was answered ${status}`);
    socket.resume();
    sockets.push(socket);
  });
  return sockets;
}
