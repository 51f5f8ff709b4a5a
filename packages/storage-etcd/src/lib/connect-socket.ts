import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TransportTls } from '@ashlar/core';

/** A socket that begins to connect to an endpoint; it tells itself, by `connect` or over TLS by `secureConnect`, when it has. */
export function connectSocket(endpoint: URL, tls: TransportTls | undefined): Socket {
  const host = endpoint.hostname.replace(/^\[|\]$/g, '');
  if (endpoint.protocol === 'http:')
    return connect({ host, port: Number(endpoint.port || 80), noDelay: true });
  const { certificateAuthorities, certificate, key, serverName, insecure } = tls ?? {};
  return connectTls({
    host,
    port: Number(endpoint.port || 443),
    ALPNProtocols: ['h2'],
    ...(certificateAuthorities !== undefined && { ca: certificateAuthorities }),
    ...(certificate !== undefined && { cert: certificate }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
    ...(insecure && { rejectUnauthorized: false }),
  }).setNoDelay(true);
}
