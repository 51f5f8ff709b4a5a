import type { ByteSink, Handler } from '@ashlar/core';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createNodeTransport } from '../transport/node-transport.ts';
import * as certificates from './certificates.fixture.ts';
import { type Listener, listen } from './listen.ts';
import type { ListenOptions } from './listen-options.ts';
import { openRaw } from './raw-http.fixture.ts';

const tls = { certificate: certificates.server.certificate, key: certificates.server.key };
const open: Listener[] = [];

/** Serves streams and returns the sink of each. */
async function serveStreams(
  options: ListenOptions = {},
): Promise<{ listener: Listener; next(): Promise<ByteSink> }> {
  const sinks: ByteSink[] = [];
  const waiting: ((sink: ByteSink) => void)[] = [];
  const handler: Handler = async () => ({
    status: 200,
    headers: {},
    body: (sink) => {
      const wait = waiting.shift();
      if (wait) wait(sink);
      else sinks.push(sink);
    },
  });
  const listener = await listen(handler, options);
  open.push(listener);
  const next = (): Promise<ByteSink> =>
    new Promise((resolve) => {
      const ready = sinks.shift();
      if (ready) resolve(ready);
      else waiting.push(resolve);
    });
  return { listener, next };
}

const get = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4);

afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close({ graceMilliseconds: 0 })));
});

describe('a streaming body', () => {
  it('sends its header before anything is written', async () => {
    const { listener, next } = await serveStreams();
    const raw = openRaw(listener);
    raw.socket.write(get);
    await next();
    expect(await raw.until((text) => text.endsWith('\r\n\r\n'))).toMatch(/transfer-encoding: chunked/i);
    raw.socket.destroy();
  });

  it('sends everything written in one turn as one chunk', async () => {
    const { listener, next } = await serveStreams();
    const raw = openRaw(listener);
    raw.socket.write(get);
    const sink = await next();
    sink.write(bytes('ab'));
    await Promise.resolve();
    sink.write(bytes('cd'));
    expect(bodyOf(await raw.until((text) => text.includes('cd')))).toBe('4\r\nabcd\r\n');
    sink.end();
    expect((await raw.until((text) => text.includes('0\r\n\r\n'))).endsWith('\r\n0\r\n\r\n')).toBe(true);
    raw.socket.destroy();
  });

  it('asks its source right before it flushes, and not while it rests', async () => {
    const { listener, next } = await serveStreams({ coalesceMilliseconds: 100 });
    const raw = openRaw(listener);
    raw.socket.write(get);
    const sink = await next();
    let written = 0;
    const source = (): void => void sink.write(bytes(`<${written}>`));
    sink.beforeFlush?.(source);
    expect(await raw.until((text) => text.includes('<0>'))).toContain('3\r\n<0>\r\n');
    sink.beforeFlush?.(source);
    for (written = 1; written < 5; written++) await new Promise((resolve) => setImmediate(resolve));
    expect(bodyOf(await raw.until((text) => text.split('<').length > 2))).toBe('3\r\n<0>\r\n3\r\n<5>\r\n');
    raw.socket.destroy();
  });

  it('asks the source of a slow reader, too, so that it is known how much waits', async () => {
    const { listener, next } = await serveStreams();
    const raw = openRaw(listener);
    raw.socket.pause();
    raw.socket.write(get);
    const sink = await next();
    sink.write(new Uint8Array(20_000_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { buffered } = sink;
    expect(buffered).toBeGreaterThan(1_000_000);
    sink.beforeFlush?.(() => sink.write(bytes('more')));
    await expect.poll(() => sink.buffered).toBe(buffered + 4);
    raw.socket.destroy();
  });

  it('does not ask its source after the client has left', async () => {
    const { listener, next } = await serveStreams({ coalesceMilliseconds: 50 });
    const raw = openRaw(listener);
    raw.socket.write(get);
    const sink = await next();
    const closed = new Promise<void>((resolve) => sink.onClose(resolve));
    sink.write(bytes('a'));
    await raw.until((text) => text.includes('1\r\na\r\n'));
    let isAsked = false;
    sink.beforeFlush?.(() => {
      isAsked = true;
    });
    raw.socket.destroy();
    await closed;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isAsked).toBe(false);
  });

  it('rests after a flush, and gathers further writes', async () => {
    const { listener, next } = await serveStreams({ coalesceMilliseconds: 200 });
    const raw = openRaw(listener);
    raw.socket.write(get);
    const sink = await next();
    sink.write(bytes('a'));
    await raw.until((text) => text.includes('1\r\na\r\n'));
    for (const letter of 'bcd') {
      sink.write(bytes(letter));
      await new Promise((resolve) => setImmediate(resolve));
    }
    sink.end();
    expect(bodyOf(await raw.until((text) => text.includes('0\r\n\r\n')))).toBe(
      '1\r\na\r\n3\r\nbcd\r\n0\r\n\r\n',
    );
    raw.socket.destroy();
  });

  it('counts buffered bytes, and calls back when they are flushed', async () => {
    const { listener, next } = await serveStreams({ sinkHighWaterMark: 10 });
    const raw = openRaw(listener);
    raw.socket.write(get);
    const sink = await next();
    expect(sink.write(new Uint8Array(10))).toBe(true);
    expect(sink.buffered).toBe(10);
    expect(sink.write(new Uint8Array(1))).toBe(false);
    await new Promise<void>((resolve) => sink.onDrain(resolve));
    expect(sink.buffered).toBeLessThanOrEqual(11 + '\r\nb\r\n'.length);
    await expect.poll(() => sink.buffered).toBe(0);
    sink.onDrain(() => sink.end());
    await raw.until((text) => text.includes('0\r\n\r\n'));
    expect(sink.write(bytes('late'))).toBe(false);
    raw.socket.destroy();
  });

  it('reports its end once, also to late listeners', async () => {
    const { listener, next } = await serveStreams();
    const raw = openRaw(listener);
    raw.socket.write(get);
    const sink = await next();
    const received: string[] = [];
    sink.onClose(() => received.push('first'));
    raw.socket.destroy();
    await expect.poll(() => received).toEqual(['first']);
    sink.onClose(() => received.push('second'));
    expect(received).toEqual(['first', 'second']);
    expect(sink.write(bytes('x'))).toBe(false);
    sink.end();
    sink.destroy();
    expect(received).toEqual(['first', 'second']);
  });

  it('is reset when it is destroyed', async () => {
    const { listener, next } = await serveStreams();
    const raw = openRaw(listener);
    raw.socket.write(get);
    const sink = await next();
    sink.write(bytes('a'));
    await raw.until((text) => text.includes('1\r\na\r\n'));
    sink.destroy();
    expect(bodyOf(await raw.closed())).toBe('1\r\na\r\n');
  });

  it('reports an exception of its callback to the listener, without affecting other streams', async () => {
    const errors: unknown[] = [];
    const { listener, next } = await serveStreams({ onError: (error) => errors.push(error) });
    const [first, second] = [openRaw(listener), openRaw(listener)];
    first.socket.write(get);
    const bad = await next();
    second.socket.write(get);
    const good = await next();
    bad.onDrain(() => {
      throw new Error('callback');
    });
    good.write(bytes('fine'));
    await second.until((text) => text.includes('fine'));
    expect(errors.map(String)).toEqual(['Error: callback']);
    first.socket.destroy();
    second.socket.destroy();
  });

  it.each([
    ['plain', false],
    ['TLS', true],
  ])('of a stalled reader does not affect others (%s)', async (_, encrypted) => {
    const { listener, next } = await serveStreams({ ...(encrypted && { tls }), sinkHighWaterMark: 100_000 });
    const trust = encrypted ? { ca: certificates.authority } : undefined;
    const slow = openRaw(listener, trust).socket;
    slow.write(get);
    const slowSink = await next();
    slow.pause();
    const quick = openRaw(listener, trust);
    quick.socket.write(get);
    const quickSink = await next();
    let cut = false;
    slowSink.onClose(() => {
      cut = true;
    });
    const event = new Uint8Array(10_000).fill(120);
    let sent = 0;
    for (let i = 0; i < 4000 && !cut; i++) {
      quickSink.write(event);
      sent++;
      if (!slowSink.write(event)) await atMostAMoment(slowSink);
      if (quickSink.buffered > 50_000) await new Promise<void>((resolve) => quickSink.onDrain(resolve));
    }
    expect(cut).toBe(true);
    quickSink.end();
    const text = await quick.until((all) => all.endsWith('\r\n0\r\n\r\n'));
    expect(text.match(/x/g)?.length).toBe(sent * 10_000);
    slow.destroy();
    quick.socket.destroy();

    /** What a writer does for a reader that falls behind: it waits briefly, then resets. */
    async function atMostAMoment(sink: ByteSink): Promise<void> {
      const drained = await Promise.race([
        new Promise<boolean>((resolve) => sink.onDrain(() => resolve(true))),
        new Promise<boolean>((resolve) => setTimeout(resolve, 200, false)),
      ]);
      if (!drained) sink.destroy();
    }
  });

  it('arrives unchanged, in any turns and lengths', async () => {
    const { listener, next } = await serveStreams({ tls, coalesceMilliseconds: 1 });
    const transport = createNodeTransport({ tls: { certificateAuthorities: certificates.authority } });
    const writes = fc.array(
      fc.record({
        length: fc.oneof(fc.nat(50), fc.nat(70_000)),
        turn: fc.constantFrom('same', 'next', 'later'),
      }),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(writes, async (plan) => {
        const [response, sink] = await Promise.all([
          transport.request(listener.url, { method: 'GET' }),
          next(),
        ]);
        const sent: Uint8Array[] = [];
        for (const [i, { length, turn }] of plan.entries()) {
          if (turn === 'next') await new Promise((resolve) => setImmediate(resolve));
          if (turn === 'later') await new Promise((resolve) => setTimeout(resolve, 2));
          const piece = new Uint8Array(length).fill(i + 1);
          sent.push(piece);
          sink.write(piece);
        }
        sink.end();
        expect(Buffer.concat(sent).equals(await response.body())).toBe(true);
      }),
      { numRuns: 40 },
    );
    transport.close();
  });

  it('is sent frame by frame if much is written at once', async () => {
    const { listener, next } = await serveStreams();
    const transport = createNodeTransport();
    const [response, sink] = await Promise.all([transport.request(listener.url, { method: 'GET' }), next()]);
    const pieces = Array.from({ length: 4000 }, (_, i) => new Uint8Array(1500).fill(i % 251));
    for (const piece of pieces) sink.write(piece);
    expect(sink.buffered).toBe(6_000_000);
    let handed = 0;
    sink.onDrain(() => {
      handed++;
      sink.end();
    });
    expect(Buffer.concat(pieces).equals(await response.body())).toBe(true);
    expect(handed).toBe(1);
    transport.close();
  });

  it('is shared: watchers of the same events get the same buffers', async () => {
    const { listener, next } = await serveStreams();
    const raws = [openRaw(listener), openRaw(listener), openRaw(listener)];
    const sinks: ByteSink[] = [];
    for (const raw of raws) {
      raw.socket.write(get);
      sinks.push(await next());
    }
    const [one, two, three] = [bytes('one'), bytes('two'), bytes('three')];
    for (const sink of sinks) {
      sink.write(one);
      sink.write(sink === sinks[1] ? three : two);
    }
    for (const sink of sinks) sink.end();
    const texts = await Promise.all(raws.map((raw) => raw.until((text) => text.includes('0\r\n\r\n'))));
    expect(texts.map(bodyOf)).toEqual([
      '6\r\nonetwo\r\n0\r\n\r\n',
      '8\r\nonethree\r\n0\r\n\r\n',
      '6\r\nonetwo\r\n0\r\n\r\n',
    ]);
    for (const raw of raws) raw.socket.destroy();
  });
});
