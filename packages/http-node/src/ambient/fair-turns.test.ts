import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FairTurns } from './fair-turns.ts';

/** Blocks the thread. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('FairTurns', () => {
  it('runs slices of long work one by one, in the order in which it paused', async () => {
    const turns = new FairTurns();
    const order: string[] = [];
    const long = async (name: string): Promise<void> => {
      for (let slice = 1; slice <= 3; slice++) {
        await turns.pause();
        order.push(`${name}${slice}`);
      }
    };
    await Promise.all([long('a'), long('b')]);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
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
    const turns = new FairTurns();
    let requests = 0;
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        turns.requestBegan();
        requests++;
        await nextTurn();
      }
    })();
    await turns.pause();
    work(5);
    const before = requests;
    await turns.pause();
    const between = requests - before;
    isOver = true;
    await others;
    // as many as begin within the wait, of which each counts two milliseconds
    expect(between).toBeGreaterThan(1);
  });

  it('lets many requests go first after work that was done before its turn', async () => {
    const turns = new FairTurns();
    await turns.pause(5);
    let requests = 0;
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        turns.requestBegan();
        requests++;
        await nextTurn();
      }
    })();
    await turns.pause();
    isOver = true;
    await others;
    expect(requests).toBeGreaterThan(1);
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
