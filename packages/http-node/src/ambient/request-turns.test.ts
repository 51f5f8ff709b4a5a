import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RequestTurns } from './request-turns.ts';

/** Records the requests that begin, by the name of their connection. */
function recorded(now: () => number = () => 0): {
  begun: string[];
  send: (connection: object, name: string, count: number) => void;
} {
  const turns = new RequestTurns(now);
  const begun: string[] = [];
  const send = (connection: object, name: string, count: number): void => {
    for (let i = 0; i < count; i++)
      turns.begin(connection, async () => {
        begun.push(`${name}${i}`);
      });
  };
  return { begun, send };
}

describe('requests that arrive together', () => {
  it('begin at once if they are few', () => {
    const { begun, send } = recorded();
    send({}, 'a', 16);
    send({}, 'b', 1);
    expect(begun).toHaveLength(17);
  });

  it('begin in order, the first of a connection before the rest of a crowded one', async () => {
    const { begun, send } = recorded();
    send({}, 'a', 200);
    send({}, 'b', 1);
    expect(begun).toEqual([...Array.from({ length: 16 }, (_, i) => `a${i}`), 'b0']);
    while (begun.length < 201) await nextTurn();
    expect(begun.filter((name) => name !== 'b0')).toEqual(Array.from({ length: 200 }, (_, i) => `a${i}`));
  });

  it('begin one of each connection at a time', async () => {
    const { begun, send } = recorded();
    send({}, 'a', 26);
    send({}, 'b', 26);
    while (begun.length < 52) await nextTurn();
    const waited = begun.slice(32).map((name) => name[0]);
    expect(waited).toEqual(Array.from({ length: 20 }, (_, i) => 'ab'[i % 2]));
  });

  it('of a crowd of connections do not all begin in one turn', async () => {
    const { begun, send } = recorded();
    for (let i = 0; i < 100; i++) send({}, `s${i}-`, 10);
    expect(begun).toHaveLength(128);
    while (begun.length < 1_000) await nextTurn();
    expect(new Set(begun).size).toBe(1_000);
  });

  it('do not begin at once when those before them took long', async () => {
    let milliseconds = 0;
    const { begun, send } = recorded(() => milliseconds++);
    for (let i = 0; i < 10; i++) send({}, `s${i}-`, 1);
    expect(begun.length).toBeLessThan(7);
    while (begun.length < 10) await nextTurn();
    expect(begun).toEqual(Array.from({ length: 10 }, (_, i) => `s${i}-0`));
  });

  it('begin at once again in a later turn', async () => {
    const { begun, send } = recorded();
    const connection = {};
    send(connection, 'a', 20);
    while (begun.length < 20) await nextTurn();
    await nextTurn();
    send(connection, 'b', 16);
    expect(begun).toHaveLength(36);
  });
});
