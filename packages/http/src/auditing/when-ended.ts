import type { ServerResponse } from '@ashlar/core';

/** Whether a response goes on after its head: it is a stream, or switches protocols. */
export function goesOn({ body, upgrade, switchProtocols }: ServerResponse, method: string): boolean {
  if (upgrade || switchProtocols) return true;
  return typeof body === 'function' && method !== 'HEAD';
}

/**
 * Returns an ongoing response that calls back once when it has ended.
 * @param signal aborted when the caller disconnects: a response may never begin then
 */
export function whenEnded(response: ServerResponse, signal: AbortSignal, ended: () => void): ServerResponse {
  let isOver = false;
  const call = (): void => {
    if (!isOver) ended();
    isOver = true;
  };
  signal.addEventListener('abort', call, { once: true });
  if (signal.aborted) call();
  return withListener(response, () => {
    signal.removeEventListener('abort', call);
    call();
  });
}

function withListener(response: ServerResponse, call: () => void): ServerResponse {
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
