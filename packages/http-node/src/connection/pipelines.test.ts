import { createServer } from 'node:http';
import { Rounds, type ServerResponse } from '@ashlar/core';
import { afterEach, describe, expect, it } from 'vitest';
import { FairTurns } from '../ambient/fair-turns.ts';
import { bind } from '../listener/bind.ts';
import { type Listener, listen } from '../listener/listen.ts';
import { openRaw, type RawConnection } from '../listener/raw-http.fixture.ts';
import { Pipelines } from './pipelines.ts';

const get = (path: string): string => `GET /${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
const gets = (name: string, count: number): string =>
  Array.from({ length: count }, (_, i) => get(`${name}${i}`)).join('');
const paths = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `/${name}${i}`);
const plain = (text: string): ServerResponse => ({
  status: 200,
  headers: {},
  body: new TextEncoder().encode(`<${text}>`),
});
const answers = (text: string): readonly string[] => text.match(/(?<=<)\/\w+(?=>)/g) ?? [];
const settled = async (): Promise<void> => {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setTimeout(resolve, 1));
};

/** Blocks the thread. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** A handler whose responses a test gives. */
function held() {
  const open = new Map<string, () => void>();
  const seen: string[] = [];
  return {
    open,
    seen,
    handler: ({ url }: { readonly url: string }) => {
      seen.push(url);
      return new Promise<ServerResponse>((resolve) => open.set(url, () => resolve(plain(url))));
    },
  };
}

let listener: Listener | undefined;
afterEach(() => listener?.close({ graceMilliseconds: 0 }));

/** A server that answers at once, and notes which requests are pipelined ones. */
async function listenBare(body: Uint8Array) {
  const rounds = new Rounds<object>({ now: () => 0, atEndOfTurn: setImmediate, inNextTurn: setImmediate });
  const pipelines = new Pipelines(rounds, new FairTurns());
  const pipelined: boolean[] = [];
  const server = createServer(({ socket }, outgoing) => {
    pipelined.push(pipelines.isPipelined(socket, outgoing));
    outgoing.end(body);
  });
  return { pipelined, address: await bind(server, {}), [Symbol.dispose]: () => void server.close() };
}

describe('pipelined requests', () => {
  it('of one connection do not delay those of another until all are handled', async () => {
    const seen: string[] = [];
    let other: RawConnection | undefined;
    listener = await listen(({ url }) => {
      if (seen.length === 0) other?.socket.write(get('other'));
      seen.push(url);
      block(1);
      return plain(url);
    });
    other = openRaw(listener);
    const crowded = openRaw(listener);
    crowded.socket.write(gets('a', 300));
    await other.until((text) => answers(text).length === 1);
    expect(seen.length).toBeLessThan(150);
    await crowded.until((text) => answers(text).length === 300);
    expect(answers(crowded.text())).toEqual(paths('a', 300));
    expect(seen.filter((path) => path !== '/other')).toEqual(paths('a', 300));
    for (const raw of [crowded, other]) raw.socket.destroy();
  });

  it('of several connections begin side by side', async () => {
    const seen: string[] = [];
    listener = await listen(({ url }) => {
      seen.push(url.slice(1, 2));
      block(0.5);
      return plain(url);
    });
    const both = [openRaw(listener), openRaw(listener)] as const;
    for (const [i, raw] of both.entries()) raw.socket.write(gets('ab'[i] as string, 200));
    for (const raw of both) await raw.until((text) => answers(text).length === 200);
    const half = seen.slice(0, 200);
    expect(half.filter((name) => name === 'a').length).toBeGreaterThan(40);
    expect(half.filter((name) => name === 'b').length).toBeGreaterThan(40);
    for (const raw of both) raw.socket.destroy();
  });

  it('are handled a few at a time, and no more are read meanwhile', async () => {
    const { open, seen, handler } = held();
    listener = await listen(handler);
    const raw = openRaw(listener);
    const count = 40;
    raw.socket.write(gets('a', count));
    const megabytes = 20;
    raw.socket.write(
      get('b')
        .padEnd(1000, '\r\n')
        .repeat(1000 * megabytes),
    );
    await expect.poll(() => seen.length).toBe(17);
    await settled();
    expect(seen).toEqual(paths('a', 17));
    expect(raw.socket.writableLength).toBeGreaterThan(0);
    for (const path of paths('a', count)) {
      await expect.poll(() => open.has(path)).toBe(true);
      open.get(path)?.();
    }
    await raw.until((text) => answers(text).length === count);
    expect(answers(raw.text())).toEqual(paths('a', count));
    raw.socket.destroy();
  });

  it('are not those that follow one complete response, even if it has not been sent', async () => {
    using server = await listenBare(new Uint8Array(20_000_000));
    const { pipelined } = server;
    const raw = openRaw(server);
    raw.socket.pause();
    for (const count of [1, 2, 3]) {
      raw.socket.write(get('a'));
      await expect.poll(() => pipelined.length).toBe(count);
    }
    expect(pipelined).toEqual([false, false, true]);
    raw.socket.destroy();
  });

  it('that wait when the client leaves are not handled', async () => {
    const { seen, handler } = held();
    listener = await listen(handler);
    const raw = openRaw(listener);
    raw.socket.write(gets('a', 40));
    await expect.poll(() => seen.length).toBe(17);
    raw.socket.resetAndDestroy();
    await settled();
    expect(seen).toHaveLength(17);
  });

  it('have bodies, in whatever pieces they arrive', async () => {
    listener = await listen(async (request) => plain(`/${Buffer.from(await request.body(100))}`));
    const raw = openRaw(listener);
    const head = 'POST / HTTP/1.1\r\nHost: h\r\n';
    const sent = Array.from({ length: 50 }, (_, i) =>
      i % 2
        ? `${head}Content-Length: 3\r\n\r\n${100 + i}`
        : `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n1\r\n2\r\n${String(i).padStart(2, '0')}\r\n0\r\n\r\n`,
    ).join('');
    for (let at = 0; at < sent.length; at += 700) {
      raw.socket.write(sent.slice(at, at + 700));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await raw.until((text) => answers(text).length === 50);
    expect(answers(raw.text())).toEqual(Array.from({ length: 50 }, (_, i) => `/${100 + i}`));
    raw.socket.destroy();
  });

  it('are all answered to a client that reads late', async () => {
    const body = new Uint8Array(100_000).fill(120);
    listener = await listen(async () => ({ status: 200, headers: {}, body }));
    const raw = openRaw(listener);
    raw.socket.pause();
    raw.socket.write(gets('a', 300));
    await settled();
    raw.socket.resume();
    let bytes = 0;
    raw.socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await expect.poll(() => bytes, { timeout: 20_000 }).toBeGreaterThan(300 * body.length);
    raw.socket.destroy();
  });
});
