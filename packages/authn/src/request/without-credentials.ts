import {
  type RequestHeaders,
  type ServerRequest,
  tokenProtocolPrefix,
  type Vocabulary,
  type WebSocketOffer,
} from '@ashlar/core';
import { isImpersonationHeader } from './impersonation.ts';

const CREDENTIALS = new Set(['authorization', 'x-remote-user', 'x-remote-uid', 'x-remote-group']);
const EXTRA = 'x-remote-extra-';

/** Headers with credentials or identities, which only the server may read. */
const isCredential = (name: string): boolean =>
  CREDENTIALS.has(name) || name.startsWith(EXTRA) || isImpersonationHeader(name);

/**
 * Returns a request without the credentials of its caller: tokens, identity headers of proxies and impersonation headers
 * (semantics/access#authentication, #impersonation). All else is unchanged.
 */
export function withoutCredentials(request: ServerRequest, vocabulary: Vocabulary): ServerRequest {
  const { method, url, connection, webSocket } = request;
  return {
    ...{ method, url, connection },
    headers: withoutCredentialHeaders(request.headers),
    webSocket: webSocket && withoutTokenProtocol(webSocket, tokenProtocolPrefix(vocabulary)),
    get signal() {
      return request.signal;
    },
    body: (limit) => request.body(limit),
  };
}

/** WebSocket protocols, which may contain a token, are also in a header. */
const PROTOCOLS = 'sec-websocket-protocol';

function withoutCredentialHeaders(headers: RequestHeaders): RequestHeaders {
  const isHidden = (name: string): boolean => isCredential(name) || name === PROTOCOLS;
  return {
    get: (name) => (isHidden(name.toLowerCase()) ? undefined : headers.get(name)),
    all: (name) => (isHidden(name.toLowerCase()) ? [] : headers.all(name)),
    *entries() {
      for (const entry of headers.entries()) if (!isHidden(entry[0])) yield entry;
    },
  };
}

function withoutTokenProtocol(offer: WebSocketOffer, prefix: string): WebSocketOffer {
  const protocols = offer.protocols.filter((protocol) => !protocol.startsWith(prefix));
  return { ...offer, protocols };
}
