import type { PeerCertificate } from 'node:tls';
import { CERTIFICATE_WITHOUT_NAMES, type TransportTls } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { withoutNames } from '../listener/certificates.fixture.ts';
import { checkServerNames } from './check-server-names.ts';
import { createHttp2Transport } from './http2-transport.ts';
import { createNodeTransport } from './node-transport.ts';
import { text, transportTests } from './transport.fixture.ts';

const certificate = (CN: string, subjectaltname?: string): PeerCertificate =>
  ({ subject: { CN }, ...(subjectaltname !== undefined && { subjectaltname }) }) as PeerCertificate;

describe('the names of a server', () => {
  it('are the alternative ones of its certificate', () => {
    expect(checkServerNames('hook.n.svc', certificate('other', 'DNS:hook.n.svc'))).toBeUndefined();
    expect(checkServerNames('127.0.0.1', certificate('other', 'IP Address:127.0.0.1'))).toBeUndefined();
    expect(checkServerNames('hook.n.svc', certificate('hook.n.svc', 'DNS:other'))).toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  it.each([
    ['hook.n.svc', 'hook.n.svc', 'certificate relies on legacy Common Name field, use SANs instead'],
    ['hook.n.svc', 'other', 'certificate is not valid for any names, but wanted to match hook.n.svc'],
    [
      '127.0.0.1',
      '127.0.0.1',
      "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
    ],
  ])('are not its common name: %s is not %s', (host, commonName, reason) => {
    const error = checkServerNames(host, certificate(commonName));
    expect(error?.message).toBe(`tls: failed to verify certificate: x509: ${reason}`);
    expect(error).toMatchObject({ code: CERTIFICATE_WITHOUT_NAMES });
  });
});

describe('a server whose certificate has only a common name', () => {
  const { serve, opened } = transportTests();
  const tls = { certificateAuthorities: withoutNames.certificate, serverName: 'stranger' };

  it.each([
    ['HTTP/1.1', createNodeTransport, {}],
    ['HTTP/1.1 in a short call', createNodeTransport, { method: 'POST', body: new Uint8Array(1) }],
    ['HTTP/2', createHttp2Transport, {}],
  ])('is not called over %s', async (_, create, request) => {
    const url = await serve(async () => text('x'), withoutNames);
    const call = (settings: TransportTls) =>
      opened(create()).request(url, { method: 'GET', ...request, tls: settings });
    await expect(call(tls)).rejects.toMatchObject({ code: CERTIFICATE_WITHOUT_NAMES });
    expect((await call({ ...tls, insecure: true })).status).toBe(200);
  });
});
