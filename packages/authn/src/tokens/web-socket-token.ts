import {
  type Authentication,
  type Authenticator,
  fromBase64Url,
  tokenProtocolPrefix,
  type Vocabulary,
} from '@ashlar/core';
import { NONE, type TokenAuthenticator } from './token-authenticator.ts';

/**
 * Authenticates WebSockets by a token among the offered sub-protocols (semantics/access#authentication), for
 * callers that cannot set headers: one token in base64url, together with at least one other protocol.
 *
 * @example
 * createUnionAuthenticator([createBearerAuthenticator(tokens), createWebSocketAuthenticator(tokens,
 * vocabulary)]);
 */
export function createWebSocketAuthenticator(
  tokens: TokenAuthenticator,
  vocabulary: Vocabulary,
): Authenticator {
  const prefix = tokenProtocolPrefix(vocabulary);
  return {
    authenticate({ webSocket }) {
      if (!webSocket) return NONE;
      const offers = webSocket.protocols.filter((protocol) => protocol.startsWith(prefix));
      const [offer] = offers;
      if (offer === undefined) return NONE;
      if (offers.length > 1) return rejected('several bearer tokens among the WebSocket sub-protocols');
      const token = tokenOf(offer.slice(prefix.length));
      if (token === '') return NONE;
      if (webSocket.protocols.length === 1)
        return rejected('a WebSocket sub-protocol is missing beside that of the bearer token');
      if (token === undefined) return INVALID;
      const result = tokens.authenticateToken(token);
      return result instanceof Promise ? result.then(rejectedIfUnknown) : rejectedIfUnknown(result);
    },
  };
}

/** Undefined if it is not base64url. */
function tokenOf(encoded: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fromBase64Url(encoded));
  } catch {
    return undefined;
  }
}

const rejected = (message: string): Authentication => ({ outcome: 'rejected', error: new Error(message) });

const INVALID = rejected('invalid bearer token');

function rejectedIfUnknown(result: Authentication): Authentication {
  return result.outcome === 'none' ? INVALID : result;
}
