import type { ServerResponse } from '@ashlar/core';

/** Whether a response goes on after its head: it is a stream, or switches protocols. */
export function isOngoing({ body, upgrade, switchProtocols }: ServerResponse, method: string): boolean {
  if (upgrade || switchProtocols) return true;
  return typeof body === 'function' && method !== 'HEAD';
}

/** Returns an ongoing response that calls back once when it has ended. */
export function whenEnded(response: ServerResponse, call: () => void): ServerResponse {
  const { body, upgrade, switchProtocols } = response;
  if (switchProtocols)
    return {
      ...response,
      switchProtocols(connection) {
        connection.onClose(call);
        switchProtocols(connection);
      },
    };
  if (upgrade)
    return {
      ...response,
      upgrade: {
        ...upgrade,
        open(socket) {
          socket.onClose(call);
          upgrade.open(socket);
        },
      },
    };
  if (typeof body !== 'function') return response;
  return {
    ...response,
    body(sink) {
      sink.onClose(call);
      body(sink);
    },
  };
}
