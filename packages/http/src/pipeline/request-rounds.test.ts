import { orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { RequestRounds } from './request-rounds.ts';

/** Requests that take some time, in turns of the event loop that a test gives. */
function rounds() {
  const clock = createSteppedClock();
  const nextTurn: (() => void)[] = [];
  const turns = {
    requestBegan: () => {},
    pause: async () => {},
    atEndOfTurn: (call: () => void) => void setImmediate(call),
    inNextTurn: (call: () => void) => void nextTurn.push(call),
  };
  const all = new RequestRounds({
    clock,
    turns,
    random: { bytes: (into) => into },
    vocabulary: orchVocabulary,
  });
  let begun: string[] = [];
  const send = (user: string, milliseconds: number, count = 1): void => {
    for (let i = 0; i < count; i++)
      void all.begin(user)?.then(() => {
        clock.advance(milliseconds);
        begun.push(user);
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
  return { all, send, turn, countOfTurn, pending: () => nextTurn.length };
}

describe('RequestRounds', () => {
  it('lets requests continue together in the next turn', async () => {
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
      await all.begin('ann');
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

  it('has one request if each takes long', async () => {
    const { send, countOfTurn } = rounds();
    send('ann', 9, 20);
    expect(await countOfTurn()).toBe(16);
    expect(await countOfTurn()).toBe(1);
    expect(await countOfTurn()).toBe(1);
  });

  it('has no more than a limit', async () => {
    const { send, countOfTurn } = rounds();
    send('ann', 0, 1000);
    const counts: number[] = [];
    for (let i = 0; i < 20; i++) counts.push(await countOfTurn());
    expect(counts[0]).toBe(16);
    expect(counts.slice(-3)).toEqual([32, 32, 32]);
  });

  it('lets one of each user begin at a time', async () => {
    const { send, turn } = rounds();
    send('ann', 5, 16);
    send('bob', 5, 2);
    send('cid', 5);
    expect((await turn()).slice(0, 27)).toBe('ann bob cid ann bob ann ann');
    send('dan', 5);
    expect(await turn()).toBe('ann');
    expect(await turn()).toBe('dan');
  });

  it('asks for one turn, however many requests begin', async () => {
    const { send, turn, pending } = rounds();
    send('ann', 0, 20);
    expect(pending()).toBe(1);
    await turn();
    expect(pending()).toBe(1);
    await turn();
    expect(pending()).toBe(0);
  });

  it('lets requests begin at once where there are no turns', () => {
    const all = new RequestRounds({
      clock: createSteppedClock(),
      random: { bytes: (into) => into },
      vocabulary: orchVocabulary,
    });
    expect(all.begin('ann')).toBeUndefined();
  });
});
