import type { ServerResponse as NodeResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The response to which Node has given a connection, if any. */
export function currentResponse(socket: Socket): NodeResponse | undefined {
  return (socket as Socket & { readonly _httpMessage?: NodeResponse | null })._httpMessage ?? undefined;
}

/**
 * Waits until the responses to the earlier requests of a connection have been sent, or it is closed: pipelined requests are answered in
 * their order (RFC 9112 section 9.3.2).
 */
export async function earlierResponsesSent(socket: Socket): Promise<void> {
  // when others learn that a response is finished, Node has given the connection to the next one
  for (let current = currentResponse(socket); current && !socket.destroyed; current = currentResponse(socket))
    await ended(current);
}

const ended = (response: NodeResponse): Promise<void> =>
  new Promise((resolve) => response.once('finish', resolve).once('close', resolve));
