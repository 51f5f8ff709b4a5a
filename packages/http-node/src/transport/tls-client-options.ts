import type { ConnectionOptions } from 'node:tls';
import type { TransportTls } from '@ashlar/core';
import { clientCiphers } from '../connection/cipher-list.ts';
import { trustOptions } from '../connection/trust-options.ts';
import { checkServerNames } from './check-server-names.ts';
import { secureContextOf } from './secure-contexts.ts';

/** How a server is verified and which client certificate is presented, as options of Node's clients. */
export function tlsClientOptions(tls: TransportTls = {}): ConnectionOptions {
  const secrets = {
    ...trustOptions(tls.certificateAuthorities),
    ...(tls.certificate !== undefined && { cert: tls.certificate }),
    ...(tls.key !== undefined && { key: tls.key }),
  };
  return {
    // agents separate connections by them
    ...secrets,
    ciphers: clientCiphers,
    secureContext: secureContextOf(secrets),
    ...(tls.serverName !== undefined && { servername: tls.serverName }),
    rejectUnauthorized: !tls.insecure,
    checkServerIdentity: checkServerNames,
  };
}
