import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FairTurns } from './fair-turns.ts';

/** Turns beside which a request begins every millisecond, on a clock of their own. */
function busyTurns() {
  const state = { requests: 0, milliseconds: 0, isOver: false };
  const turns = new FairTurns(() => state.milliseconds);
  const requests = async (): Promise<void> => {
    while (!state.isOver) {
      turns.requestBegan();
      state.requests++;
      state.milliseconds++;
      await nextTurn();
    }
  };
  return { state, turns, requests };
}

describe('FairTurns', () => {
  /** Works of some slices of ten milliseconds each, in the order of their slices. */
  async function slicesOf(works: Readonly<Record<string, number>>): Promise<string> {
    let milliseconds = 0;
    const turns = new FairTurns(() => milliseconds);
    const order: string[] = [];
    const work = async ([name, slices]: [string, number]): Promise<void> => {
      for (let slice = 1; slice <= slices; slice++) {
        await turns.pause();
        order.push(name);
        milliseconds += 10;
      }
    };
    await Promise.all(Object.entries(works).map(work));
    return order.join('');
  }

  it('ends long work in the order in which it began', async () => {
    expect(await slicesOf({ a: 8, b: 8, c: 8 })).toBe('aabacaaaaabbbbbbbccccccc');
  });

  it('gives every other slice to work that has had none', async () => {
    expect(await slicesOf({ a: 5, b: 1, c: 1 })).toBe('aabacaa');
  });

  it('takes what pauses in a later phase of the event loop for other work', async () => {
    let milliseconds = 0;
    const turns = new FairTurns(() => milliseconds);
    const order: string[] = [];
    const slice = async (name: string): Promise<void> => {
      await turns.pause();
      order.push(name);
      milliseconds += 10;
    };
    const long = async (name: string): Promise<void> => {
      for (let i = 0; i < 30; i++) await slice(name);
    };
    const works = ['a', 'b', 'c'].map(long);
    // ends in its slice; other work pauses in the phase of timers after it, in which the timer is due
    const ended = slice('d').then(() => {
      const timer = new Promise((resolve) => setTimeout(resolve, 1));
      for (const due = performance.now() + 5; performance.now() < due; );
      return timer;
    });
    await ended.then(() => slice('e'));
    expect(order.length).toBeLessThan(20);
    await Promise.all(works);
  });

  it('lets other begun work go on after a hundred milliseconds', async () => {
    expect(await slicesOf({ a: 25, b: 12 })).toMatch(/^aab(a{9})(b{10})(a{10})b(a+)$/);
  });

  it('runs other work between two slices', async () => {
    const turns = new FairTurns();
    let others = 0;
    const count = (): void => {
      others++;
    };
    for (let slice = 0; slice < 5; slice++) {
      setImmediate(count);
      await turns.pause();
      expect(others).toBe(slice + 1);
    }
  });

  it('lets many requests go first, and still makes progress', async () => {
    const { state, turns, requests } = busyTurns();
    const others = requests();
    await turns.pause();
    state.milliseconds += 5;
    const before = state.requests;
    await turns.pause();
    // each counts two milliseconds, up to nine times those of the slice
    expect(state.requests - before).toBeGreaterThanOrEqual(45);
    state.isOver = true;
    await others;
  });

  it('lets many requests go first after work that was done before its turn', async () => {
    const { state, turns, requests } = busyTurns();
    await turns.pause(5);
    const others = requests();
    await turns.pause();
    expect(state.requests).toBeGreaterThanOrEqual(45);
    state.isOver = true;
    await others;
  });

  it('lets what begins together have one slice of a turn, and the next turn another one', async () => {
    let milliseconds = 0;
    const turns = new FairTurns(() => milliseconds);
    const begin = (): boolean => {
      const may = turns.maySlice(10);
      if (may) milliseconds += 6;
      return may;
    };
    const together = async (): Promise<readonly boolean[]> => {
      const first = [begin(), begin(), begin()];
      await undefined;
      return [...first, begin()];
    };
    expect(await together()).toEqual([true, true, false, false]);
    await nextTurn();
    expect(await together()).toEqual([true, true, false, false]);
  });

  it('calls back at the end of a turn, after promise callbacks, and before the next turn', async () => {
    const turns = new FairTurns();
    const order: string[] = [];
    await new Promise((resolve) => setImmediate(resolve));
    const immediate = nextTurn().then(() => order.push('next turn'));
    turns.atEndOfTurn(() => order.push('end of turn'));
    for (let i = 0; i < 20; i++) await undefined;
    order.push('promises');
    await immediate;
    expect(order).toEqual(['promises', 'end of turn', 'next turn']);
  });
});
