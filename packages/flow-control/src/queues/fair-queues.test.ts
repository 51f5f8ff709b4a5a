import { expect, it } from 'vitest';
import { FairQueues } from './fair-queues.ts';
import type { Queued } from './flow-queue.ts';

class Request implements Queued<Request> {
  previous: Request | undefined;
  next: Request | undefined;
  readonly arrived = 0;
  readonly seats = 1;
  readonly expectedWork: number;

  constructor(expectedWork: number) {
    this.expectedWork = expectedWork;
  }
}

it('selects the queue of a hand with the least waiting work', () => {
  const queues = new FairQueues<Request>(10, 0);
  const [first, second] = [queues.select([3]), queues.select([5])];
  queues.enqueue(first, new Request(2));
  queues.enqueue(second, new Request(1));
  for (let i = 0; i < 4; i++) expect(queues.select([3, 5])).toBe(second);
  expect(queues.select([3, 5, 7]).index).toBe(7);
});

it('serves queues by the end of their oldest requests, and then the one that was served longest ago', () => {
  const queues = new FairQueues<Request>(10, 0);
  const order: number[] = [];
  for (const [index, work] of [
    [1, 3],
    [2, 1],
    [4, 1],
    [2, 1],
  ] as const)
    queues.enqueue(queues.select([index]), new Request(work));
  for (let request = queues.next(); request; request = queues.next()) {
    const queue = [...queues.active.values()].find(({ waiting }) => waiting.first === request);
    if (!queue) throw new Error('the request is in no queue');
    order.push(queue.index);
    queues.dispatch(queue, request);
  }
  expect(order).toEqual([2, 4, 2, 1]);
  expect(queues.areEmpty).toBe(true);
});

it('keeps few queues that are not used', () => {
  const queues = new FairQueues<Request>(1_000, 0);
  for (let index = 0; index < 1_000; index++) {
    const queue = queues.select([index]);
    queues.begin(queue, new Request(1));
    queues.end(queue, 0);
    queues.free(queue, 1);
  }
  expect(queues.active.size).toBe(128);
});
