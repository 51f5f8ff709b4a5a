import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Rounds } from './rounds.ts';

/** Callbacks that take some time, in turns of the event loop that a test gives. */
function rounds() {
  let now = 0;
  const nextTurn: (() => void)[] = [];
  const all = new Rounds<string>({
    now: () => now,
    atEndOfTurn: (call) => void setImmediate(call),
    inNextTurn: (call) => void nextTurn.push(call),
  });
  const advance = (milliseconds: number): void => {
    now += milliseconds;
  };
  let begun: string[] = [];
  const send = (user: string | undefined, milliseconds: number, count = 1): void => {
    for (let i = 0; i < count; i++)
      all.add(user, () => {
        begun.push(user ?? '-');
        void Promise.resolve().then(() => advance(milliseconds));
      });
  };
  /** @returns those that began in it */
  const turn = async (): Promise<string> => {
    begun = [];
    for (const call of nextTurn.splice(0)) call();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    return begun.join(' ');
  };
  const countOfTurn = async (): Promise<number> => (await turn()).split(' ').filter(Boolean).length;
  return { all, advance, send, turn, countOfTurn, pending: () => nextTurn.length };
}

describe('Rounds', () => {
  it('calls back together in the next turn', async () => {
    const { send, turn } = rounds();
    send('ann', 1, 3);
    send('bob', 1);
    expect(await turn()).toBe('ann bob ann ann');
    expect(await turn()).toBe('');
  });

  it('follows their promises in step', async () => {
    const { all, turn } = rounds();
    const stages: string[] = [];
    const work = async (name: string): Promise<void> => {
      await new Promise<void>((resume) => all.add('ann', resume));
      stages.push(`${name} decodes`);
      await Promise.resolve();
      stages.push(`${name} writes`);
    };
    void work('a');
    void work('b');
    await turn();
    expect(stages).toEqual(['a decodes', 'b decodes', 'a writes', 'b writes']);
  });

  it('has as many as took their share of a turn before', async () => {
    const { send, countOfTurn } = rounds();
    send('ann', 1, 26);
    expect(await countOfTurn()).toBe(16);
    expect(await countOfTurn()).toBe(5);
    expect(await countOfTurn()).toBe(5);
    // each full round after which a larger one fits lets the next one be larger
    send('ann', 0.5, 30);
    expect([await countOfTurn(), await countOfTurn(), await countOfTurn()]).toEqual([5, 6, 7]);
  });

  it('has one if each takes long', async () => {
    const { send, countOfTurn } = rounds();
    send('ann', 9, 20);
    expect(await countOfTurn()).toBe(16);
    expect(await countOfTurn()).toBe(1);
    expect(await countOfTurn()).toBe(1);
  });

  it('grows again when they take less', async () => {
    const { send, countOfTurn } = rounds();
    send('ann', 9, 17);
    await countOfTurn();
    expect(await countOfTurn()).toBe(1);
    send('ann', 0, 10);
    const counts = [await countOfTurn(), await countOfTurn(), await countOfTurn()];
    expect(counts).toEqual([1, 2, 3]);
  });

  it('has no more than a limit', async () => {
    const { send, countOfTurn } = rounds();
    send('ann', 0, 1000);
    const counts: number[] = [];
    for (let i = 0; i < 20; i++) counts.push(await countOfTurn());
    expect(counts[0]).toBe(16);
    expect(counts.slice(-3)).toEqual([32, 32, 32]);
  });

  it('lets one of each owner continue at a time', async () => {
    const { send, turn } = rounds();
    send('ann', 5, 16);
    send('bob', 5, 2);
    send('cid', 5);
    expect((await turn()).slice(0, 27)).toBe('ann bob cid ann bob ann ann');
    send('dan', 5);
    expect(await turn()).toBe('ann');
    expect(await turn()).toBe('dan');
  });

  it('lets those without an owner alternate with others', async () => {
    const { send, turn } = rounds();
    send('ann', 0, 3);
    send(undefined, 0, 2);
    expect(await turn()).toBe('ann - ann - ann');
  });

  it('lets neither of them wait for all of the other, however few continue in a round', async () => {
    const { send, turn } = rounds();
    send('ann', 9, 20);
    await turn();
    send(undefined, 9, 3);
    const turns: string[] = [];
    for (let i = 0; i < 6; i++) turns.push(await turn());
    expect(turns).toEqual(['-', 'ann', '-', 'ann', '-', 'ann']);
  });

  it('asks for one turn, however many wait', async () => {
    const { send, turn, pending } = rounds();
    send('ann', 0, 20);
    expect(pending()).toBe(1);
    await turn();
    expect(pending()).toBe(1);
    await turn();
    expect(pending()).toBe(0);
  });

  it('tells when all have been resumed, before their promises are followed', async () => {
    const order: string[] = [];
    const all = new Rounds<string>({
      now: () => 0,
      atEndOfTurn: (call) => void setImmediate(call),
      inNextTurn: (call) => void setImmediate(call),
      resumed: () => order.push('resumed'),
    });
    for (const name of ['a', 'b'])
      all.add(undefined, () => {
        order.push(name);
        void Promise.resolve().then(() => order.push(`promise of ${name}`));
      });
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(['a', 'b', 'resumed', 'promise of a', 'promise of b']);
  });

  it('continues in a later turn when one has failed', () => {
    const nextTurn: (() => void)[] = [];
    let resumed = 0;
    const all = new Rounds<string>({
      now: () => 0,
      atEndOfTurn: () => {},
      inNextTurn: (call) => void nextTurn.push(call),
      resumed: () => resumed++,
    });
    const order: string[] = [];
    all.add(undefined, () => {
      throw new Error('broken');
    });
    all.add(undefined, () => order.push('a'));
    expect(() => nextTurn.shift()?.()).toThrow('broken');
    expect([resumed, order]).toEqual([1, []]);
    nextTurn.shift()?.();
    expect(order).toEqual(['a']);
  });

  it('keeps nothing of those that have been resumed, also while some always wait', async () => {
    const { all, turn } = rounds();
    const references: WeakRef<object>[] = [];
    const add = (): void => {
      const request = { done: false };
      references.push(new WeakRef(request));
      all.add(undefined, () => {
        request.done = true;
      });
    };
    for (let i = 0; i < 100; i++) add();
    for (let i = 0; i < 50; i++) {
      await turn();
      for (let j = 0; j < 32; j++) add();
    }
    const alive = (): number => references.filter((reference) => reference.deref()).length;
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    expect(references).toHaveLength(1700);
    expect(alive()).toBeLessThan(400);
  });

  it('ends when those that need no promise have used its time, and is no smaller afterwards', async () => {
    const { all, advance, send, countOfTurn } = rounds();
    let lists = 0;
    for (let i = 0; i < 3; i++)
      all.add(undefined, () => {
        advance(3);
        lists++;
      });
    await countOfTurn();
    expect(lists).toBe(2);
    send('ann', 0, 20);
    expect(await countOfTurn()).toBe(15);
  });
});
