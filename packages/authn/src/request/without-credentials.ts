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

/** Headers that tell who a caller is: for the server alone. */
const isCredential = (name: string): boolean =>
  CREDENTIALS.has(name) || name.startsWith(EXTRA) || isImpersonationHeader(name);

/**
 * A request as it is handed on once its caller is known: without his token, what a proxy said of him and whom he asked to be
 * (semantics/access#authentication, #impersonation). The rest of it is the request itself.
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

/** Protocols of WebSockets stand in a header, too. */
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
