import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parseResponseHead } from './response-head.ts';

/** Those that Node knows, and others. */
const NAMES = [
  ...['accept', 'accept-encoding', 'age', 'allow', 'authorization', 'cache-control', 'content-disposition'],
  ...['content-encoding', 'content-language', 'content-type', 'cookie', 'date', 'etag', 'expect', 'expires'],
  ...['from', 'host', 'if-match', 'if-modified-since', 'if-none-match', 'if-unmodified-since', 'keep-alive'],
  ...['last-modified', 'link', 'location', 'max-forwards', 'origin', 'pragma', 'proxy-authorization'],
  ...['referer', 'retry-after', 'server', 'upgrade', 'user-agent', 'vary', 'via', 'warning', 'x-any'],
];

/** What Node's own client reads of a head. */
async function readByNode(head: string): Promise<IncomingMessage['headers']> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(`${head}\r\n\r\n`, 'latin1'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((resolve, reject) => {
      get({ port, host: '127.0.0.1', agent: false }, (incoming) => {
        incoming.resume();
        resolve(incoming.headers);
      }).on('error', reject);
    });
  } finally {
    server.close();
  }
}

describe('parseResponseHead', () => {
  it('joins or drops repeated lines as the client of Node does', async () => {
    const lines = NAMES.flatMap((name) => [`${name}: one`, `${name.toUpperCase()}: two`]);
    const head = ['HTTP/1.1 200 OK', 'content-length: 0', ...lines].join('\r\n');
    expect({ ...parseResponseHead(head).headers }).toEqual({ ...(await readByNode(head)) });
  });
});
