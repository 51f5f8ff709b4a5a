import { once } from 'node:events';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { otherAuthority, server, shortKey } from '../listener/certificates.fixture.ts';
import type { ListenTls } from '../listener/listen-options.ts';
import { createHttp2Transport } from '../transport/http2-transport.ts';
import { createNodeTransport } from '../transport/node-transport.ts';
import { proxyTests } from '../transport/proxies.fixture.ts';
import { text, transportTests } from '../transport/transport.fixture.ts';
import { withShortKeys } from './cipher-list.ts';

const { serve, opened } = transportTests();
const proxies = proxyTests();
const trusting = { certificateAuthorities: shortKey.certificate + server.certificate };
const transports = [
  ['HTTP/1.1', createNodeTransport],
  ['HTTP/2', createHttp2Transport],
] as const;

/** Whether the certificate of the caller was accepted. */
const whoAsks = (served: ListenTls): Promise<string> =>
  serve(async ({ connection }) => text(String(connection?.clientCertificates?.length)), served);

describe.each(transports)('keys of RSA of 1024 bits over %s', (_, create) => {
  const ask = async (url: string, request: object = {}): Promise<string> => {
    const response = await opened(create({ tls: trusting })).request(url, { method: 'GET', ...request });
    return Buffer.from(await response.body()).toString();
  };
  const lists = [undefined, 'ECDHE-RSA-AES128-GCM-SHA256:TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384'];

  it.each(lists)('are accepted of servers, with the ciphers %s', async (ciphers) => {
    const url = await serve(async () => text('x'), { ...shortKey, ...(ciphers && { ciphers }) });
    expect(await ask(url)).toBe('x');
    expect(await ask(url, { method: 'POST', body: new Uint8Array(1) })).toBe('x');
  });

  it('are accepted of clients', async () => {
    const authorities = shortKey.certificate + otherAuthority;
    const url = await whoAsks({ ...server, clientCertificateAuthorities: authorities });
    expect(await ask(url, { tls: { ...trusting, ...shortKey } })).toBe('1');
  });

  it('are accepted of proxies', async () => {
    const url = await serve(async () => text('x'));
    const { address } = await proxies.http({ tls: shortKey });
    expect(await ask(url, { proxy: `https://${address}` })).toBe('x');
  });
});

it('a list for TLS 1.3 alone allows no other version', async () => {
  const url = await serve(async () => text('x'), { ...server, ciphers: 'TLS_AES_256_GCM_SHA384' });
  const socket = connect({
    port: Number(new URL(url).port),
    rejectUnauthorized: false,
    maxVersion: 'TLSv1.2',
  });
  const [error] = await once(socket, 'error');
  expect(error.code).toMatch(/PROTOCOL_VERSION/);
});

describe('withShortKeys', () => {
  it('leaves a list that names a level', () => {
    expect(withShortKeys('DEFAULT:@SECLEVEL=2')).toBe('DEFAULT:@SECLEVEL=2');
  });
});
