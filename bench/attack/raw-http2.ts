import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import type { Target } from './attack.ts';

export const bytesOf = (...numbers: readonly number[]): Buffer => Buffer.from(numbers);

/** A frame of HTTP/2. */
export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = bytesOf((length >> 16) & 255, (length >> 8) & 255, length & 255, type, flags, 0, 0, 0, 0);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A string of HPACK, not compressed. */
function text(value: string): Buffer {
  const { length } = value;
  if (length < 127) return Buffer.concat([bytesOf(length), Buffer.from(value)]);
  const rest = length - 127;
  const more = rest < 128 ? [rest] : [(rest & 127) | 128, ...(rest < 16_384 ? [rest >> 7] : [])];
  return Buffer.concat([bytesOf(127, ...more), Buffer.from(value)]);
}

/** A block of HPACK in which every field is a literal. */
export function headerBlock(fields: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(fields).flatMap(([name, value]) => [bytesOf(0), text(name), text(value)]),
  );
}

/** A raw HTTP/2 connection. */
export async function handWritten(target: Target): Promise<Socket> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const connecting = connect(
      { port: target.port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] },
      () => resolve(connecting),
    );
    connecting.on('error', reject);
  });
  socket.on('error', () => {});
  socket.resume();
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0, bytesOf())]));
  return socket;
}
