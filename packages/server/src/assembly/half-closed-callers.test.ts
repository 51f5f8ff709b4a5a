import { connect } from 'node:net';
import { listen } from '@ashlar/http-node';
import { expect, it } from 'vitest';
import { createApiServer } from './create-api-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

/** Sends a request, ends its side at once, and returns the status of the response. */
function statusOf(port: number, method: string, path: string, body = ''): Promise<string> {
  const type = body && `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('connect', () =>
      socket.end(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${type}\r\n${body}`),
    );
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(received.slice(9, 12)));
  });
}

it('callers that end their side with their request get a response', async () => {
  const server = createApiServer();
  await server.ready;
  const listener = await listen(server.handler);
  const { port } = listener.address as { port: number };
  const statuses = [
    await statusOf(port, 'POST', MAPS, '{"metadata":{"name":"a"}}'),
    await statusOf(port, 'GET', `${MAPS}/a`),
    await statusOf(port, 'GET', MAPS),
    await statusOf(port, 'DELETE', `${MAPS}/a`),
  ];
  await listener.close({ graceMilliseconds: 0 });
  await server.close();
  expect(statuses).toEqual(['201', '200', '200', '200']);
});
