import { describe, expect, it, vi } from 'vitest';
import { afterReads, inNextTurn } from './next-turn.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the next turn', () => {
  it('comes also where a test has replaced the timers', async () => {
    vi.useFakeTimers();
    try {
      await new Promise<void>(inNextTurn);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends, promises included, before what runs after reads', async () => {
    const order: string[] = [];
    inNextTurn(() => {
      void Promise.resolve().then(async () => {
        afterReads(() => order.push('after reads'));
        for (let i = 0; i < 20; i++) await undefined;
        order.push('promises');
      });
      setImmediate(() => order.push('turn after it'));
    });
    await turn();
    await turn();
    expect(order).toEqual(['promises', 'after reads', 'turn after it']);
  });

  it('is awaited by what runs after reads elsewhere', async () => {
    const order: string[] = [];
    await turn();
    setImmediate(() => order.push('turn'));
    afterReads(() => order.push('after reads'));
    await turn();
    expect(order).toEqual(['turn', 'after reads']);
  });
});
