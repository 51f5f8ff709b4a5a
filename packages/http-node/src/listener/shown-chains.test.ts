import { createServer } from 'node:https';
import type { Handler } from '@ashlar/core';
import { expect, it, onTestFinished } from 'vitest';
import { createHttp2Transport } from '../transport/http2-transport.ts';
import { createNodeTransport } from '../transport/node-transport.ts';
import { ca, text, tls, transportTests } from '../transport/transport.fixture.ts';
import { authority, clientOfIntermediate } from './certificates.fixture.ts';
import { listen } from './listen.ts';

const { serve, opened } = transportTests();
const who: Handler = async ({ connection }) => text(String(connection.clientCertificates?.length));

it.each([
  ['HTTP/1.1', createNodeTransport],
  ['HTTP/2', createHttp2Transport],
])('intermediate certificates are passed over %s', async (_, create) => {
  const url = await serve(who, { ...tls, clientCertificateAuthorities: authority });
  const transport = opened(create({ tls: { ...ca, ...clientOfIntermediate } }));
  const response = await transport.request(url, { method: 'GET' });
  expect(Buffer.from(await response.body()).toString()).toBe('3');
});

it('intermediate certificates are passed when the leaf has been read before', async () => {
  const { certificate: cert, key } = tls;
  const server = createServer({ cert, key, ca: authority, requestCert: true, rejectUnauthorized: false });
  server.on('secureConnection', (socket) => void socket.getPeerX509Certificate());
  const listener = await listen(who, { server });
  onTestFinished(() => listener.close({ graceMilliseconds: 0 }));
  const transport = opened(createNodeTransport({ tls: { ...ca, ...clientOfIntermediate } }));
  const response = await transport.request(listener.url, { method: 'GET' });
  expect(Buffer.from(await response.body()).toString()).toBe('3');
});
