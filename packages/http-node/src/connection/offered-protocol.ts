import type { IncomingMessage } from 'node:http';
import type { ProtocolOffer } from '@ashlar/core';

/**
 * The protocol that a request asks to switch to. Undefined if it names several, a version of HTTP or TLS, which the listener does not
 * switch to (RFC 9110 section 7.8), or has a body, which would stand between both protocols.
 */
export function offeredProtocol({ headers }: IncomingMessage): ProtocolOffer | undefined {
  const protocol = headers.upgrade;
  if (protocol === undefined || protocol === '' || protocol.includes(',') || !isSwitch(headers.connection))
    return undefined;
  if (OF_LISTENERS.has(protocol.split('/', 1)[0]?.toLowerCase() ?? '')) return undefined;
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return Number(length) === 0 && coding === undefined ? { protocol } : undefined;
}

const OF_LISTENERS = new Set(['h2c', 'h2', 'http', 'tls']);

const isSwitch = (connection = ''): boolean =>
  connection.split(',').some((option) => option.trim().toLowerCase() === 'upgrade');
