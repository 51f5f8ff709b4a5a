import { optionError, type Transport, type TransportResponse } from '@ashlar/core';

/**
 * A transport over `fetch`, for browsers and other places without sockets. Certificates and proxies are then those of the platform.
 * @param send for tests; default the global `fetch`
 */
export function createFetchTransport(
  send: (url: string, request: RequestInit) => Promise<Response> = (url, request) => fetch(url, request),
): Transport {
  return {
    async request(url, { method, headers = {}, body, signal, tls, proxy }) {
      if (tls !== undefined) throw notByFetch('tls', tls);
      if (proxy !== undefined) throw notByFetch('proxy', proxy);
      const lines = new Headers();
      for (const [name, value] of Object.entries(headers)) {
        for (const line of [value].flat()) lines.append(name, line);
      }
      const response = await send(url, {
        method,
        headers: lines,
        redirect: 'manual',
        ...(body && { body: body as Uint8Array<ArrayBuffer> }),
        ...(signal && { signal }),
      });
      return transportResponse(response);
    },
  };
}

const notByFetch = (option: string, value: unknown): TypeError =>
  optionError('a request over fetch', option, 'left out: the platform decides it', value);

function transportResponse(response: Response): TransportResponse {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: async () => new Uint8Array(await response.arrayBuffer()),
    stream: () => pieces(response),
  };
}

async function* pieces({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
