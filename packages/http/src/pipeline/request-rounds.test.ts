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
  const begun: string[] = [];
  const send = (user: string, milliseconds: number, count = 1): void => {
    const work = (): void => {
      clock.advance(milliseconds);
      begun.push(user);
    };
    for (let i = 0; i < count; i++) {
      const wait = all.begin(user);
      if (wait) void wait.then(work);
      else work();
    }
  };
  /** @returns those that began in it */
  const turn = async (): Promise<string> => {
    begun.length = 0;
    for (const call of nextTurn.splice(0)) call();
    // a request settles in two turns of the test itself
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
    return begun.join(' ');
  };
  return { begun, send, turn, pending: () => nextTurn.length };
}

describe('RequestRounds', () => {
  it('lets requests begin at once until they have used their share of a turn', async () => {
    const { begun, send, turn } = rounds();
    send('ann', 1, 12);
    expect(begun).toHaveLength(5);
    expect(await turn()).toBe('ann ann ann ann ann');
    expect(await turn()).toBe('ann ann');
    expect(await turn()).toBe('');
  });

  it('lets one of each user begin at a time', async () => {
    const { begun, send, turn } = rounds();
    send('ann', 3, 6);
    send('bob', 3);
    send('cid', 3);
    expect(begun).toEqual(['ann', 'ann']);
    expect(await turn()).toBe('ann bob');
    expect(await turn()).toBe('cid ann');
    expect(await turn()).toBe('ann ann');
  });

  it('lets later requests wait behind those that wait, and begin at once when none does', async () => {
    const { begun, send, turn } = rounds();
    send('ann', 9, 2);
    send('bob', 1);
    expect(begun).toEqual(['ann']);
    expect(await turn()).toBe('ann');
    send('cid', 1);
    expect(await turn()).toBe('bob cid');
    begun.length = 0;
    send('ann', 9);
    expect(begun).toEqual(['ann']);
  });

  it('asks for one turn, however many requests begin', async () => {
    const { send, turn, pending } = rounds();
    send('ann', 0, 1000);
    expect(pending()).toBe(1);
    await turn();
    expect(pending()).toBe(0);
  });
});
