import type { ByteConnection } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it, vi } from 'vitest';
import { joinConnections } from './join-connections.ts';

/** One side: what its peer sends, and what it got. */
function side() {
  const incoming: (Uint8Array | 'end' | Error)[] = [];
  let wake = (): void => {};
  const closers: (() => void)[] = [];
  const state = { got: '', ended: false, destroyed: false, gate: undefined as Promise<void> | undefined };
  const connection: ByteConnection = {
    async *receive() {
      for (;;) {
        const next = incoming.shift();
        if (next === 'end') return;
        if (next instanceof Error) throw next;
        if (next) yield next;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
    send(bytes) {
      state.got += new TextDecoder().decode(bytes);
      return state.gate;
    },
    end: () => {
      state.ended = true;
    },
    destroy: () => {
      state.destroyed = true;
    },
    onClose: (call) => void closers.push(call),
  };
  const say = (what: string | Error): void => {
    incoming.push(
      typeof what === 'string' && what !== 'end' ? new TextEncoder().encode(what) : (what as 'end'),
    );
    wake();
  };
  return {
    connection,
    state,
    say,
    close: () => {
      for (const call of closers) call();
    },
    left: () => incoming.length,
  };
}

describe('joined connections', () => {
  it('carry bytes both ways, and the end of each', async () => {
    const [a, b] = [side(), side()];
    joinConnections(a.connection, b.connection, { clock: createSteppedClock() });
    a.say('ping');
    b.say('pong');
    await vi.waitFor(() => expect([a.state.got, b.state.got]).toEqual(['pong', 'ping']), { timeout: 60_000 });
    a.say('end');
    await vi.waitFor(() => expect(b.state).toMatchObject({ ended: true, destroyed: false }), {
      timeout: 60_000,
    });
    expect(a.state).toMatchObject({ ended: false, destroyed: false });
  });

  it('read no more from one than the other takes', async () => {
    const [a, b] = [side(), side()];
    let open = (): void => {};
    b.state.gate = new Promise((resolve) => {
      open = resolve;
    });
    joinConnections(a.connection, b.connection, { clock: createSteppedClock() });
    for (const piece of ['1', '2', '3']) a.say(piece);
    await vi.waitFor(() => expect(b.state.got).toBe('1'), { timeout: 60_000 });
    expect(a.left()).toBe(2);
    b.state.gate = undefined;
    open();
    await vi.waitFor(() => expect(b.state.got).toBe('123'), { timeout: 60_000 });
  });

  it('wait for their turn after each 64 kB', async () => {
    const [a, b] = [side(), side()];
    const waiting: (() => void)[] = [];
    const turns = {
      requestBegan: () => {},
      atEndOfTurn: () => {},
      pause: () => new Promise<void>((resume) => void waiting.push(resume)),
    };
    joinConnections(a.connection, b.connection, { clock: createSteppedClock(), turns });
    for (let i = 0; i < 4; i++) a.say('x'.repeat(32_768));
    await vi.waitFor(() => expect(waiting).toHaveLength(1), { timeout: 60_000 });
    expect(b.state.got.length).toBe(65_536);
    waiting.shift()?.();
    await vi.waitFor(() => expect(b.state.got.length).toBe(131_072), { timeout: 60_000 });
  });

  it('are both reset if one breaks', async () => {
    const [a, b] = [side(), side()];
    joinConnections(a.connection, b.connection, { clock: createSteppedClock() });
    a.say(new Error('reset'));
    await vi.waitFor(() => expect([a.state.destroyed, b.state.destroyed]).toEqual([true, true]), {
      timeout: 60_000,
    });
  });

  it('do not outlive each other for long', () => {
    const clock = createSteppedClock();
    const [a, b] = [side(), side()];
    joinConnections(a.connection, b.connection, { clock });
    a.close();
    expect(b.state).toMatchObject({ ended: true, destroyed: false });
    clock.advance(10_000);
    expect(b.state.destroyed).toBe(true);

    const [c, d] = [side(), side()];
    joinConnections(c.connection, d.connection, { clock });
    c.close();
    d.close();
    expect(clock.pending()).toEqual([]);
  });
});
