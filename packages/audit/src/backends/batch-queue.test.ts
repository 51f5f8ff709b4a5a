import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { type EncodedEvent, encodeEvent } from '../events/encoded-event.ts';
import { READ } from '../events/event.fixture.ts';
import { type BatchOptions, BatchQueue } from './batch-queue.ts';

const event = (auditID: string): EncodedEvent => encodeEvent({ ...READ, auditID });
const SIZE = event('1').size;

function queueOf(options: BatchOptions, maximumBytes = Number.POSITIVE_INFINITY) {
  const clock = createSteppedClock();
  const lists: string[] = [];
  const held: (() => void)[] = [];
  const send = (events: readonly EncodedEvent[]): Promise<void> => {
    lists.push(events.map((each) => each.event.auditID).join());
    return new Promise((resolve) => held.push(resolve));
  };
  const queue = new BatchQueue({ throttle: 'none', ...options }, clock, { send, maximumBytes });
  const add = (...ids: readonly string[]): readonly boolean[] => ids.map((id) => queue.add(event(id)));
  const release = async (): Promise<void> => {
    for (const done of held.splice(0)) done();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, lists, queue, add, release };
}

describe('events that wait', () => {
  it('are sent when a list is full, and when the first has waited', () => {
    const { clock, lists, add } = queueOf({ maximumSize: 2, maximumWaitMilliseconds: 1000 });
    add('1', '2', '3');
    expect(lists).toEqual(['1,2']);
    clock.advance(1000);
    expect(lists).toEqual(['1,2', '3']);
    add('4');
    clock.advance(999);
    expect(lists).toHaveLength(2);
    clock.advance(1);
    expect(lists.at(-1)).toBe('4');
  });

  it('are divided into lists that are not too large', () => {
    const { clock, lists, add } = queueOf({ maximumWaitMilliseconds: 1 }, SIZE * 2);
    add('1', '2', '3', '4', '5');
    clock.advance(1);
    expect(lists).toEqual(['1,2', '3,4', '5']);
  });

  it('are lost when there are too many', async () => {
    const { lists, add, release } = queueOf({ maximumSize: 1, bufferSize: 2 });
    // sixteen lists are under way
    const sent = Array.from({ length: 16 }, (_, index) => String(index));
    expect(add(...sent, 'a', 'b', 'c')).toEqual([...sent.map(() => true), true, true, false]);
    await release();
    expect(lists.slice(16)).toEqual(['a', 'b']);
    expect(add('d')).toEqual([true]);
  });

  it('are lost when they are too large together', async () => {
    const { add, release } = queueOf({ maximumSize: 1, bufferBytes: SIZE * 2 });
    expect(add('1', '2', '3')).toEqual([true, true, false]);
    await release();
    expect(add('4')).toEqual([true]);
  });

  it('are sent as often as is allowed', () => {
    const throttle = { perSecond: 2, burst: 2 };
    const { clock, lists, add } = queueOf({ maximumSize: 1, throttle });
    add('1', '2', '3', '4');
    expect(lists).toEqual(['1', '2']);
    clock.advance(500);
    expect(lists).toEqual(['1', '2', '3']);
    clock.advance(500);
    expect(lists).toEqual(['1', '2', '3', '4']);
  });

  it('are all sent when the queue is flushed, which waits for them', async () => {
    const { lists, queue, add, release } = queueOf({ throttle: { perSecond: 1, burst: 1 } });
    add('1', '2');
    let isFlushed = false;
    const flushed = queue.flush().then(() => {
      isFlushed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([lists, isFlushed]).toEqual([['1,2'], false]);
    await release();
    await flushed;
  });
});
