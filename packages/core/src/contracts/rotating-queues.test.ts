import { describe, expect, it } from 'vitest';
import { RotatingQueues } from './rotating-queues.ts';

describe('rotating queues', () => {
  it('give one of each owner in turn', () => {
    const queues = new RotatingQueues<string, number>();
    for (const [owner, waiting] of [
      ['a', 1],
      ['a', 2],
      ['a', 3],
      ['b', 4],
      ['c', 5],
      ['b', 6],
    ] as const)
      queues.push(owner, waiting);
    expect([queues.peek(), queues.isEmpty]).toEqual([1, false]);
    expect(Array.from({ length: 6 }, () => queues.take())).toEqual([1, 4, 5, 2, 6, 3]);
    expect([queues.take(), queues.peek(), queues.isEmpty]).toEqual([undefined, undefined, true]);
  });

  it('take an owner who comes again behind the others', () => {
    const queues = new RotatingQueues<string, number>();
    queues.push('a', 1);
    queues.push('b', 2);
    expect(queues.take()).toBe(1);
    queues.push('a', 3);
    expect([queues.take(), queues.take()]).toEqual([2, 3]);
  });
});
