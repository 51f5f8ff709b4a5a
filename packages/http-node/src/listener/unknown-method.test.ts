import type { Handler } from '@ashlar/core';
import { afterEach, describe, expect, it } from 'vitest';
import * as certificates from './certificates.fixture.ts';
import { type Listener, listen } from './listen.ts';
import { openRaw } from './raw-http.fixture.ts';

let listener: Listener | undefined;
const seen: string[] = [];
const handler: Handler = async (request) => {
  const body = await request.body(10);
  seen.push(`${request.method} ${request.url} ${request.headers.get('authorization')} ${body.length}`);
  return { status: 418, headers: { 'x-a': 'b' }, body: new TextEncoder().encode('short') };
};

afterEach(async () => {
  await listener?.close({ graceMilliseconds: 0 });
  seen.length = 0;
});

async function answerTo(text: string, encrypted = false): Promise<string> {
  const tls = { certificate: certificates.server.certificate, key: certificates.server.key };
  listener = await listen(handler, encrypted ? { tls } : {});
  const raw = openRaw(listener, encrypted ? { ca: certificates.authority } : undefined);
  raw.socket.write(text, 'latin1');
  return raw.closed();
}

const HEAD = 'Host: h\r\nAuthorization: Bearer t\r\n';

describe('a method that the parser does not know', () => {
  it.each([false, true])(
    'is handled as others are, and the connection is closed: encrypted %s',
    async (encrypted) => {
      const text = await answerTo(`FOO /a?b=c HTTP/1.1\r\n${HEAD}\r\n`, encrypted);
      expect(seen).toEqual(['FOO /a?b=c Bearer t 0']);
      expect(text).toMatch(/^HTTP\/1\.1 418 /);
      expect(text).toMatch(/\r\nx-a: b\r\n/);
      expect(text).toMatch(/\r\nConnection: close\r\n/);
      expect(text.endsWith('\r\n\r\nshort')).toBe(true);
    },
  );

  it('may have a body that arrives with it', async () => {
    const text = await answerTo(`FOO /a HTTP/1.1\r\n${HEAD}Content-Length: 3\r\n\r\nab\n`);
    expect(seen).toEqual(['FOO /a Bearer t 3']);
    expect(text).toMatch(/^HTTP\/1\.1 418 /);
  });

  it.each([
    ['has a longer body', `FOO / HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\nabc`],
    ['has two lengths', `FOO / HTTP/1.1\r\n${HEAD}Content-Length: 2\r\nContent-Length: 2\r\n\r\nab`],
    ['has a length that is none', `FOO / HTTP/1.1\r\n${HEAD}Content-Length: +2\r\n\r\nab`],
    ['announces a body', `FOO / HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\n`],
    ['announces one without a length', `FOO / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`],
    ['is followed by another', `FOO / HTTP/1.1\r\n${HEAD}\r\nGET / HTTP/1.1\r\n${HEAD}\r\n`],
    ['is incomplete', `FOO / HTTP/1.1\r\n${HEAD}`],
    ['has a header that is none', `FOO / HTTP/1.1\r\n${HEAD}a b: c\r\n\r\n`],
    ['has a folded header', `FOO / HTTP/1.1\r\n${HEAD} b\r\n\r\n`],
    ['has a NUL in a header', `FOO / HTTP/1.1\r\n${HEAD}a: \0\r\n\r\n`],
    ['has no version', `FOO /\r\n${HEAD}\r\n`],
  ])('is refused if the request %s', async (_what, text) => {
    expect(await answerTo(text)).toMatch(/^HTTP\/1\.1 405 /);
    expect(seen).toEqual([]);
  });

  it('is refused without a host, and with two', async () => {
    expect(await answerTo('FOO / HTTP/1.1\r\na: b\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await answerTo('FOO / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen).toEqual([]);
  });

  it('is refused while another response is being sent', async () => {
    listener = await listen(async () => new Promise(() => {}));
    const raw = openRaw(listener);
    raw.socket.write(`GET /slow HTTP/1.1\r\n${HEAD}\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    raw.socket.write(`FOO / HTTP/1.1\r\n${HEAD}\r\n`);
    expect(await raw.closed()).toMatch(/^HTTP\/1\.1 405 /);
  });

  it('takes nothing of a body before it for its head', async () => {
    listener = await listen(handler);
    const raw = openRaw(listener);
    const smuggled = 'FOO /smuggled HTTP/1.1\r\nHost: h\r\nX: ';
    raw.socket.write(`POST /first HTTP/1.1\r\n${HEAD}Content-Length: ${smuggled.length}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    raw.socket.write(`${smuggled}BAR / HTTP/1.1\r\n${HEAD}\r\n`);
    await raw.closed();
    expect(seen.join()).not.toContain('smuggled');
  });

  it('does not run an earlier request of the connection again', async () => {
    const text = await answerTo(`GET /first HTTP/1.1\r\n${HEAD}\r\nFOO /second HTTP/1.1\r\n${HEAD}\r\n`);
    expect(seen.filter((line) => line.startsWith('GET'))).toHaveLength(1);
    expect(text.match(/HTTP\/1\.1 \d+/g)?.length).toBeLessThanOrEqual(2);
  });
});
