import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttp2Transport } from './http2-transport.ts';
import { createNodeTransport } from './node-transport.ts';

const server = createServer((_, response) => response.end());
let host: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test.each([
  ['HTTP/1.1', createNodeTransport],
  ['HTTP/2', createHttp2Transport],
])('a server without TLS is named over %s', async (_, createTransport) => {
  using transport = createTransport();
  const failure = await transport
    .request(`https://${host}/version`, { method: 'GET' })
    .catch((error) => error);
  expect(failure.message).toBe(
    `the server at ${host} does not answer with TLS: use http://${host}, or enable TLS on the server`,
  );
  expect(failure.cause.message).toContain('wrong version number');
  expect(failure.code).toBe(failure.cause.code);
});

test('other errors stay as they are', async () => {
  using transport = createNodeTransport();
  await expect(transport.request('https://127.0.0.1:1/', { method: 'GET' })).rejects.toThrow('ECONNREFUSED');
});
