import type {
  ByteConnection,
  ByteSink,
  ForwardedCall,
  ForwardedResponse,
  HeaderLine,
  ServerResponse,
  Transport,
  Turns,
} from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it, vi } from 'vitest';
import { BackendLimiter } from './backend-limiter.ts';
import { type ForwardingTarget, forward } from './forward.ts';
import { forwardedRequest, rules } from './forwarded-request.fixture.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
}

const answering = (
  status: number,
  headers: readonly HeaderLine[] = [],
  stream: () => AsyncIterable<Uint8Array> = () => pieces('a', 'b'),
): ForwardedResponse => ({ status, headers, stream });

/** A server behind, and what it was asked. */
function backend(
  result: (call: ForwardedCall) => ForwardedResponse | Promise<ForwardedResponse>,
  turns?: Turns,
) {
  const calls: ForwardedCall[] = [];
  const transport: Transport = {
    request: () => Promise.reject(new Error('nothing is asked')),
    async forward(_, call) {
      calls.push(call);
      return result(call);
    },
  };
  const clock = createSteppedClock();
  const target: ForwardingTarget = {
    ...{ isAvailable: true, limiter: new BackendLimiter(), tls: () => ({}) },
    origin: () => 'https://backend:443',
  };
  const ask = (
    request = forwardedRequest(),
    changes: Partial<ForwardingTarget> = {},
  ): Promise<ServerResponse> =>
    forward(
      { ...rules, ambient: { clock, ...(turns && { turns }) }, transport },
      { ...target, ...changes },
      request,
    );
  return { calls, clock, limiter: target.limiter, ask };
}

/** Turns that a test gives one by one. */
class GivenTurns implements Turns {
  readonly waiting: (() => void)[] = [];

  requestBegan(): void {}

  atEndOfTurn(): void {}

  pause(): Promise<void> {
    return new Promise((resume) => this.waiting.push(resume));
  }
}

/** A sink that takes what a reader allows. */
function sinkOf(capacity = Number.POSITIVE_INFINITY) {
  const state = { text: '', ended: false, destroyed: false, drain: () => {}, close: () => {} };
  const sink: ByteSink = {
    buffered: 0,
    write(chunk) {
      state.text += new TextDecoder().decode(chunk);
      return state.text.length < capacity;
    },
    onDrain: (call) => {
      state.drain = call;
    },
    onClose: (call) => {
      state.close = call;
    },
    end: () => {
      state.ended = true;
    },
    destroy: () => {
      state.destroyed = true;
      state.close();
    },
  };
  return { sink, state };
}

const write = (response: ServerResponse, sink: ByteSink): void =>
  (response.body as (sink: ByteSink) => void)(sink);
const text = ({ body }: ServerResponse): string => new TextDecoder().decode(body as Uint8Array);

describe('a response of another server', () => {
  it('passes through with its header lines, beside those of this one', async () => {
    const { ask, limiter } = backend(() =>
      answering(418, [
        ['cache-control', 'max-age=5'],
        ['audit-id', 'theirs'],
        ['set-cookie', 'a'],
        ['set-cookie', 'b'],
        ['server', 'one'],
        ['server', 'two'],
        ['connection', 'x-hop'],
        ['x-hop', '1'],
        ['transfer-encoding', 'chunked'],
        ['access-control-allow-origin', '*'],
        ['location', 'https://backend/there?a=b'],
        ['__proto__', 'x'],
      ]),
    );
    const response = await ask();
    expect(Object.entries(response.headers)).toEqual([
      ['audit-id', ['id', 'theirs']],
      ['cache-control', ['no-cache, private', 'max-age=5']],
      ['set-cookie', ['a', 'b']],
      ['server', 'one'],
      ['location', '/there?a=b'],
      ['__proto__', 'x'],
    ]);
    const { sink, state } = sinkOf();
    write(response, sink);
    await vi.waitFor(() => expect(state).toMatchObject({ text: 'ab', ended: true }), { timeout: 60_000 });
    expect(limiter.pending).toBe(0);
  });

  it.each([
    [302, [['location', '/x']], 502],
    [304, [], 304],
    [300, [], 300],
  ] as const)('of status %i with %j is answered with %i', async (status, headers, answered) => {
    const { ask, limiter } = backend(() => answering(status, headers, () => pieces()));
    const response = await ask();
    expect(response.status).toBe(answered);
    if (typeof response.body === 'function') write(response, sinkOf().sink);
    await vi.waitFor(() => expect(limiter.pending).toBe(0), { timeout: 60_000 });
  });

  it('is read no faster than the caller reads', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        sent++;
        yield bytes('x');
      }
    }
    const { ask } = backend(() => answering(200, [], endless));
    const { sink, state } = sinkOf(3);
    write(await ask(), sink);
    await vi.waitFor(() => expect(state.text).toBe('xxx'), { timeout: 60_000 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBe(3);
    state.drain();
    await vi.waitFor(() => expect(state.text).toBe('xxxx'), { timeout: 60_000 });
  });

  it('waits for its turn again and again if it is long, and never if it is short', async () => {
    const turns = new GivenTurns();
    const piece = new Uint8Array(16 * 1024);
    let length = 1;
    const stream = async function* (): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < length; i++) yield piece;
    };
    const { ask } = backend(() => answering(200, [], stream), turns);
    const short = sinkOf();
    write(await ask(), short.sink);
    await vi.waitFor(() => expect(short.state.ended).toBe(true), { timeout: 60_000 });
    expect(turns.waiting).toHaveLength(0);
    length = 12;
    const long = sinkOf();
    write(await ask(), long.sink);
    for (const written of [4, 8, 12]) {
      await vi.waitFor(() => expect(turns.waiting).toHaveLength(1), { timeout: 60_000 });
      expect(long.state.text.length).toBe(written * piece.length);
      turns.waiting.shift()?.();
    }
    await vi.waitFor(() => expect(long.state.ended).toBe(true), { timeout: 60_000 });
  });

  it('ends with its time limit, and with its caller', async () => {
    for (const end of ['time', 'caller'] as const) {
      const { ask, clock, calls, limiter } = backend(({ signal }) =>
        answering(200, [], async function* () {
          yield bytes('a');
          await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
        }),
      );
      const { sink, state } = sinkOf();
      write(await ask(), sink);
      await vi.waitFor(() => expect(state.text).toBe('a'), { timeout: 60_000 });
      if (end === 'time') clock.advance(1_000);
      else state.close();
      await vi.waitFor(() => expect(limiter.pending).toBe(0), { timeout: 60_000 });
      expect([calls[0]?.signal?.aborted, clock.pending()]).toEqual([true, []]);
    }
  });

  it('that breaks off breaks off for the caller', async () => {
    const { ask, limiter } = backend(() =>
      answering(200, [['content-length', '9']], async function* () {
        yield bytes('a');
        throw new Error('aborted');
      }),
    );
    const { sink, state } = sinkOf();
    write(await ask(), sink);
    await vi.waitFor(() => expect(state).toMatchObject({ text: 'a', destroyed: true, ended: false }), {
      timeout: 60_000,
    });
    expect(limiter.pending).toBe(0);
  });
});

describe('a server that does not answer', () => {
  it.each([
    ['is not available', { isAvailable: false }, 'service unavailable\n'],
    [
      'cannot be found',
      { origin: () => Promise.reject(new Error('service "a" not found')) },
      'service unavailable\n',
    ],
    [
      'cannot be trusted',
      {
        tls: () => {
          throw new Error('no certificates');
        },
      },
      'error trying to reach service: no certificates\n',
    ],
  ])('because it %s is not asked', async (_, changes, body) => {
    const { ask, calls } = backend(() => answering(200));
    const response = await ask(undefined, changes as Partial<ForwardingTarget>);
    expect([response.status, text(response), calls.length]).toEqual([503, body, 0]);
  });

  it('says why', async () => {
    const { ask, limiter } = backend(() => Promise.reject(new Error('connect ECONNREFUSED')));
    const response = await ask();
    expect([response.status, text(response)]).toEqual([
      503,
      'error trying to reach service: connect ECONNREFUSED\n',
    ]);
    expect(limiter.pending).toBe(0);
  });

  it('is left when the caller leaves', async () => {
    const leave = new AbortController();
    const { ask, limiter } = backend(
      ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('destroyed')))),
    );
    const asked = ask(forwardedRequest([], { signal: leave.signal }));
    setImmediate(() => leave.abort(new Error('gone')));
    await expect(asked).rejects.toThrow('gone');
    expect(limiter.pending).toBe(0);
  });

  it('gets no more than 400 requests at once, and watches do not count', async () => {
    const { ask, limiter } = backend(() => new Promise(() => {}));
    for (let i = 0; i < 400; i++) void ask();
    await vi.waitFor(() => expect(limiter.pending).toBe(400), { timeout: 60_000 });
    const response = await ask();
    expect([response.status, response.headers['retry-after']]).toEqual([429, '1']);

    const answered = backend(() => answering(200, [], () => pieces()));
    await answered.ask(forwardedRequest([], { timeLimit: undefined }));
    expect(answered.limiter.pending).toBe(0);
  });
});

describe('the body of a request', () => {
  const piece = new Uint8Array(32 * 1024);
  const requestOf = (count: number) =>
    forwardedRequest([['content-length', String(count * piece.length)]], {
      request: {
        method: 'POST',
        async *bodyStream() {
          for (let i = 0; i < count; i++) yield piece;
        },
      },
    });

  it.each([
    [2, 0],
    [5, 2],
  ])('of %i pieces of 32 kB waits for %i turns', async (count, waits) => {
    const turns = new GivenTurns();
    let sent = 0;
    const { ask } = backend(async ({ body }) => {
      for await (const { length } of body ?? []) sent += length;
      return answering(200);
    }, turns);
    const asked = ask(requestOf(count));
    for (let i = 0; i < waits; i++) {
      await vi.waitFor(() => expect(turns.waiting).toHaveLength(1), { timeout: 60_000 });
      turns.waiting.shift()?.();
    }
    expect((await asked).status).toBe(200);
    expect([sent, turns.waiting.length]).toEqual([count * piece.length, 0]);
  });
});

describe('another protocol', () => {
  const upgraded = forwardedRequest([], { request: { upgrade: { protocol: 'chat' } } });

  it('is passed on', async () => {
    const destroyed = vi.fn();
    const connection: ByteConnection = {
      receive: () => pieces('hello'),
      send: () => {},
      end: () => {},
      destroy: destroyed,
      onClose: () => {},
    };
    const { ask, calls, limiter } = backend(() => ({
      ...answering(101, [
        ['upgrade', 'chat'],
        ['connection', 'Upgrade'],
      ]),
      connection,
    }));
    const response = await ask(upgraded);
    expect(response).toMatchObject({ status: 101, headers: { upgrade: ['chat'], connection: ['Upgrade'] } });
    expect([calls[0]?.switchesProtocols, limiter.pending]).toEqual([true, 0]);
    const heard: string[] = [];
    const own: ByteConnection = {
      ...connection,
      receive: () => pieces(),
      send: (piece) => void heard.push(new TextDecoder().decode(piece)),
    };
    response.switchProtocols?.(own);
    await vi.waitFor(() => expect(heard).toEqual(['hello']), { timeout: 60_000 });
  });

  it.each([
    [200, 503],
    [403, 403],
  ])('that is answered with %i instead is answered with %i', async (status, answered) => {
    const { ask } = backend(() => answering(status));
    expect((await ask(upgraded)).status).toBe(answered);
  });
});
