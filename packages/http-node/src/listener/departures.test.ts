import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Departures } from './departures.ts';

describe('departures', () => {
  it('are acted on at once where there are few', async () => {
    const departures = new Departures();
    const seen: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      for (let i = 0; i < 20; i++) departures.add(() => seen.push(i));
      expect(seen).toHaveLength(20 * (turn + 1));
      await nextTurn();
    }
  });

  it('are acted on in their order over several turns where there are many', async () => {
    const departures = new Departures();
    const seen: number[] = [];
    const add = (from: number, to: number): void => {
      for (let i = from; i < to; i++) departures.add(() => seen.push(i));
    };
    add(0, 400);
    const first = seen.length;
    expect(first).toBeLessThan(50);
    await nextTurn();
    expect(seen.length).toBeLessThan(3 * first);
    add(400, 410);
    for (let turns = 0; turns < 50; turns++) await nextTurn();
    expect(seen).toEqual(Array.from({ length: 410 }, (_, i) => i));
  });

  it('are acted on though one of them fails', async () => {
    const departures = new Departures();
    expect(() =>
      departures.add(() => {
        throw new Error('a host');
      }),
    ).toThrow('a host');
    let isSeen = false;
    departures.add(() => {
      isSeen = true;
    });
    expect(isSeen).toBe(true);
  });

  it('are acted on behind one that fails in a later turn', async () => {
    const failures: unknown[] = [];
    const note = (error: unknown): void => void failures.push(error);
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', note);
    try {
      const departures = new Departures();
      const seen: number[] = [];
      for (let i = 0; i < 100; i++)
        departures.add(() => {
          if (i === 40) throw new Error('a host');
          seen.push(i);
        });
      for (let turns = 0; turns < 20; turns++) await nextTurn();
      expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => i).filter((i) => i !== 40));
      expect(failures).toEqual([new Error('a host')]);
    } finally {
      process.removeListener('uncaughtException', note);
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
  });
});
