import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { createNodeTransport, type Listener, listen, type NodeTransport } from '@ashlar/http-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCertificates } from '../certificates/self-signed-certificates.ts';
import type { ApiServer } from './api-server.ts';
import { createApiServer } from './create-api-server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

let server: ApiServer;
let listener: Listener;
let transport: NodeTransport;
let authority: string;
const faults: unknown[] = [];

beforeAll(async () => {
  const onError = (error: unknown): void => void faults.push(error);
  const { certificate, key, certificateAuthority } = await createCertificates();
  authority = certificateAuthority;
  server = createApiServer({ onError });
  await server.ready;
  listener = await listen(server.handler, { tls: { certificate, key }, onError });
  transport = createNodeTransport({ tls: { certificateAuthorities: authority } });
});

afterAll(async () => {
  transport.close();
  await listener.close({ graceMilliseconds: 0 });
  await server.close();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

async function http1(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = body === undefined ? {} : { body: new TextEncoder().encode(body) };
  const type = { 'content-type': 'application/json' };
  const response = await transport.request(listener.url + path, {
    method,
    headers: { ...type, ...headers },
    ...sent,
  });
  return { status: response.status, headers: response.headers, text: text(await response.body()) };
}

function http2(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const session = connectHttp2(listener.url, { ca: authority });
  return new Promise<Answer>((resolve, reject) => {
    const type = { 'content-type': 'application/json' };
    const stream = session.request({ ':method': method, ':path': path, ...type, ...headers });
    let answered: Record<string, unknown> = {};
    let received = '';
    stream.on('response', (lines) => {
      answered = { ...lines };
    });
    stream.on('data', (chunk: Buffer) => {
      received += chunk;
    });
    stream.on('error', reject);
    stream.on('end', () => {
      const { ':status': status, ...rest } = answered;
      resolve({ status: Number(status), headers: rest as Record<string, string>, text: received });
    });
    stream.end(body);
  }).finally(() => session.close());
}

describe.each([
  ['HTTP/1.1', http1],
  ['HTTP/2', http2],
])('over %s and TLS', (protocol, ask) => {
  const name = protocol === 'HTTP/2' ? 'two' : 'one';

  it('objects are written and read in JSON and YAML', async () => {
    const made = await ask('POST', MAPS, JSON.stringify({ metadata: { name }, data: { 'a.b': 'ключ' } }));
    expect([made.status, made.headers['content-type']]).toEqual([201, 'application/json']);
    const yaml = `metadata:\n  name: ${name}\ndata:\n  c: "2"\n`;
    const put = await ask('PUT', `${MAPS}/${name}`, yaml, {
      'content-type': 'application/yaml',
      accept: 'application/yaml',
    });
    expect([put.status, put.headers['content-type']]).toEqual([200, 'application/yaml']);
    expect(put.text).toContain('data:\n  c: "2"\n');
    const read = await ask('GET', `${MAPS}/${name}`);
    expect(JSON.parse(read.text)).toMatchObject({ data: { c: '2' } });
    expect(Number(read.headers['content-length'])).toBe(Buffer.byteLength(read.text));
  });

  it('responses keep their headers', async () => {
    const dry = `${MAPS}?dryRun=All`;
    const { status, headers } = await ask('POST', dry, '{"metadata":{"name":"w"},"ключ":1,"b":2}', {
      'audit-id': 'mine',
    });
    expect([status, headers['audit-id'], headers['cache-control']]).toEqual([
      201,
      'mine',
      'no-cache, private',
    ]);
    const warning = Buffer.from(String(headers.warning), 'latin1').toString();
    expect(warning).toContain('299 - "unknown field \\"ключ\\""');
    expect(warning).toContain('299 - "unknown field \\"b\\""');
  });

  it('bodies that are too long are rejected', async () => {
    const { status, text: received } = await ask('POST', MAPS, 'x'.repeat(3_145_729));
    expect([status, JSON.parse(received).message]).toEqual([
      413,
      'Request entity too large: limit is 3145728',
    ]);
  });

  it('HEAD has headers and no body', async () => {
    const { status, headers, text: received } = await ask('HEAD', MAPS);
    expect([status, headers['content-type'], received]).toEqual([200, 'application/json', '']);
  });
});

describe('a watch over TLS', () => {
  it('streams each change over HTTP/1.1 and HTTP/2', async () => {
    const stop = new AbortController();
    const path = `${MAPS}?watch=1&fieldSelector=metadata.name%3Dwatched&timeoutSeconds=60`;
    const response = await transport.request(listener.url + path, { method: 'GET', signal: stop.signal });
    const session = connectHttp2(listener.url, { ca: authority });
    const stream = session.request({ ':path': path });
    const reading = { one: '', two: '' };
    stream.on('data', (chunk: Buffer) => {
      reading.two += chunk;
    });
    const one = (async () => {
      for await (const chunk of response.stream()) reading.one += text(chunk);
    })().catch(() => {});
    const received = (of: 'one' | 'two'): readonly string[] =>
      [...reading[of].matchAll(/^\{"type":"([A-Z]+)"/gm)].map(([, type]) => type ?? '');
    const until = async (count: number): Promise<void> => {
      while (received('one').length < count || received('two').length < count)
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await http1('POST', MAPS, '{"metadata":{"name":"watched"}}');
    await until(1);
    await http2('PUT', `${MAPS}/watched`, '{"metadata":{"name":"watched"},"data":{"a":"b"}}');
    await http1('DELETE', `${MAPS}/watched`);
    await until(3);
    expect(received('one')).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(received('two')).toEqual(received('one'));
    expect(reading.one).toBe(reading.two);
    stop.abort();
    stream.close();
    session.close();
    await one;
  });
});

describe('malformed requests', () => {
  /** Sends bytes and returns everything received until the connection ends. */
  function raw(sent: string, { end = false }: { end?: boolean } = {}): Promise<string> {
    const { port } = listener.address as { port: number };
    return new Promise((resolve) => {
      let received = '';
      const socket: TLSSocket = connectTls(
        { port, host: '127.0.0.1', ca: authority, ALPNProtocols: ['http/1.1'] },
        () => {
          socket.write(sent);
          if (end) socket.end();
        },
      );
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(received));
    });
  }
  const head = (length: number): string =>
    `POST ${MAPS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
  const body = '{"metadata":{"name":"liar"}}';

  it.each([
    ['a body shorter than said', () => raw(head(1000) + body, { end: true }), /^(HTTP\/1\.1 400|$)/],
    ['a body longer than said', () => raw(head(10) + body), /^HTTP\/1\.1 400/],
    [
      'two lengths',
      () => raw(head(10).replace('Host', 'Content-Length: 28\r\nHost') + body),
      /^HTTP\/1\.1 400/,
    ],
    [
      'a length and chunks',
      () =>
        raw(`${head(28).replace('Host', 'Transfer-Encoding: chunked\r\nHost')}1c\r\n${body}\r\n0\r\n\r\n`),
      /^HTTP\/1\.1 400/,
    ],
    [
      'broken chunks',
      () => raw(`${head(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked')}zz\r\n`),
      /^HTTP\/1\.1 400/,
    ],
    ['no method', () => raw('/ HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400/],
    ['an unknown method', () => raw(`BREW ${MAPS} HTTP/1.1\r\nHost: localhost\r\n\r\n`), /^HTTP\/1\.1 4/],
    [
      'a header without end',
      () => raw(`GET ${MAPS} HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(1_100_000)}`),
      /^HTTP\/1\.1 431/,
    ],
    [
      'a newline in a header',
      () => raw(`GET ${MAPS} HTTP/1.1\r\nHost: localhost\r\nX: a\u0000b\r\n\r\n`),
      /^HTTP\/1\.1 400/,
    ],
  ])('%s', async (_, ask, result) => {
    expect(await ask()).toMatch(result);
    expect((await http1('GET', `${MAPS}/liar`)).status).toBe(404);
    expect(faults).toEqual([]);
  });
});
