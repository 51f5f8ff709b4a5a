import type { Handler, ProtocolOffer } from '@ashlar/core';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listener, listen } from '../listener/listen.ts';
import { openRaw } from '../listener/raw-http.fixture.ts';

const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close({ graceMilliseconds: 0 })));
});

async function serve(handler: Handler): Promise<Listener> {
  const listener = await listen(handler);
  open.push(listener);
  return listener;
}

const ask = (lines: readonly string[], method = 'GET'): string =>
  `${[`${method} /a HTTP/1.1`, 'Host: h', ...lines].join('\r\n')}\r\n\r\n`;

describe('a response that switches protocols', () => {
  const echo: Handler = () => ({
    status: 101,
    headers: { connection: 'Upgrade', upgrade: 'chat' },
    switchProtocols: async (connection) => {
      for await (const piece of connection.receive()) await connection.send(piece);
      connection.end();
    },
  });

  it('passes on what came with the header and after it, until the caller ends', async () => {
    const raw = openRaw(await serve(echo));
    raw.socket.write(`${ask(['Connection: Upgrade', 'Upgrade: chat'])}first `);
    expect(await raw.until((text) => text.endsWith('first '))).toBe(
      'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: chat\r\n\r\nfirst ',
    );
    raw.socket.end('last');
    expect(await raw.closed()).toMatch(/first last$/);
  });

  it('cannot send a header that would be two', async () => {
    const errors: unknown[] = [];
    const handler: Handler = () => ({
      status: 101,
      headers: { 'x-a': 'b\r\nx-c: d' },
      switchProtocols: () => {},
    });
    const listener = await listen(handler, { onError: (error) => errors.push(error) });
    open.push(listener);
    const raw = openRaw(listener);
    raw.socket.write(ask(['Connection: Upgrade', 'Upgrade: chat']));
    expect(await raw.closed()).toBe('');
    expect(errors).toHaveLength(1);
  });
});

describe('the offer of a caller', () => {
  const offerOf = async (lines: readonly string[], method?: string): Promise<unknown> => {
    let offer: ProtocolOffer | undefined;
    const raw = openRaw(
      await serve((request) => {
        offer = request.upgrade;
        return { status: 200, headers: {} };
      }),
    );
    raw.socket.write(ask(lines, method));
    await raw.until((text) => text.includes('\r\n\r\n'));
    raw.socket.destroy();
    return offer?.protocol;
  };

  it.each([
    [['Connection: Upgrade', 'Upgrade: SPDY/3.1'], 'POST', 'SPDY/3.1'],
    [['Connection: keep-alive, upgrade', 'Upgrade: chat'], 'GET', 'chat'],
    [['Connection: Upgrade', 'Upgrade: websocket'], 'GET', 'websocket'],
    [['Connection: Upgrade', 'Upgrade: chat', 'Content-Length: 0'], 'POST', 'chat'],
    [['Upgrade: chat'], 'GET', undefined],
    [['Connection: Upgrade'], 'GET', undefined],
    [['Connection: Upgrade', 'Upgrade: h2c'], 'GET', undefined],
    [['Connection: Upgrade', 'Upgrade: TLS/1.0, HTTP/1.1'], 'GET', undefined],
    [['Connection: Upgrade', 'Upgrade: chat', 'Content-Length: 1'], 'POST', undefined],
    [['Connection: Upgrade', 'Upgrade: chat', 'Transfer-Encoding: chunked'], 'POST', undefined],
  ] as const)('%j of a %s is %s', async (lines, method, protocol) => {
    expect(await offerOf(lines, method)).toBe(protocol);
  });
});
