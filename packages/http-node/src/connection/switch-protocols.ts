import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import type { ServerResponse } from '@ashlar/core';
import { NodeByteConnection } from './node-byte-connection.ts';

/**
 * Writes the header of a response that switches protocols, and passes on the connection.
 * @throws TypeError for a header field that cannot be sent
 */
export function switchProtocols(
  { socket, head }: { readonly socket: Socket; readonly head: Buffer },
  headers: ServerResponse['headers'],
  open: NonNullable<ServerResponse['switchProtocols']>,
): void {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      return `${name}: ${value}\r\n`;
    }),
  );
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`, 'latin1');
  open(new NodeByteConnection(socket, head));
}
