import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { FlushSchedule } from './flush-schedule.ts';

describe('FlushSchedule', () => {
  function setUp(gap = 4) {
    const order: unknown[] = [];
    const clock = { milliseconds: 1000 };
    const schedule = new FlushSchedule(
      gap,
      (error) => order.push(error),
      () => clock.milliseconds,
    );
    const stream = (name: string) => ({ restUntil: 0, flush: () => void order.push(name) });
    return { clock, order, schedule, stream };
  }

  it('writes responses at the end of a turn, in the turn behind a few streams and before many', async () => {
    const { order, schedule, stream } = setUp();
    for (const count of [0, 1, 100]) {
      order.length = 0;
      schedule.respond(() => order.push('first'));
      for (let i = 0; i < count; i++) schedule.add(stream('stream'));
      schedule.respond(() => order.push('second'));
      for (let i = 0; i < 5; i++) await undefined;
      order.push('promises');
      await turn();
      order.push('turn');
      await turn();
      const streams = Array.from({ length: count }, () => 'stream');
      const responses = ['first', 'second'];
      expect(order).toEqual([
        'promises',
        ...(count === 1 ? [...streams, 'turn', ...responses] : [...responses, ...streams, 'turn']),
      ]);
    }
  });

  it('holds responses for one turn, whatever is flushed in it', async () => {
    const { order, schedule, stream } = setUp();
    for (const name of ['first', 'second', 'third']) {
      schedule.add(stream(`event of ${name}`));
      schedule.respond(() => order.push(name));
      await turn();
    }
    await turn();
    const names = ['first', 'event of second', 'second', 'event of third', 'third'];
    expect(order).toEqual(['event of first', ...names]);
  });

  it('writes responses that are ready together, when it is told to', async () => {
    const { order, schedule } = setUp();
    for (const name of ['first', 'second']) schedule.respondReady(() => order.push(name));
    await turn();
    expect(order).toEqual([]);
    schedule.writeReady();
    schedule.writeReady();
    expect(order).toEqual(['first', 'second']);
  });

  it('writes the responses of further turns', async () => {
    const { order, schedule } = setUp();
    for (const name of ['first', 'second']) {
      schedule.respond(() => order.push(name));
      await turn();
    }
    expect(order).toEqual(['first', 'second']);
  });

  it('reports errors of a callback, and calls the others', async () => {
    const { order, schedule, stream } = setUp();
    const error = new Error('failed');
    const fail = (): void => {
      throw error;
    };
    schedule.respond(fail);
    schedule.respond(() => order.push('response'));
    schedule.add({ restUntil: 0, flush: fail });
    schedule.add(stream('stream'));
    await turn();
    await turn();
    expect(order).toEqual([error, 'stream', error, 'response']);
  });

  it('lets a stream rest after a flush, but no response', async () => {
    const { order, schedule, stream } = setUp();
    const busy = stream('stream');
    schedule.add(busy);
    await turn();
    schedule.add(busy);
    schedule.respond(() => order.push('response'));
    await turn();
    expect(order.slice(0, 2)).toEqual(['stream', 'response']);
  });

  it('writes responses that others lead to', async () => {
    const { order, schedule, stream } = setUp();
    schedule.add(stream('stream'));
    schedule.respond(() => schedule.respond(() => order.push('second')));
    for (let i = 0; i < 3; i++) await turn();
    expect(order).toEqual(['stream', 'second']);
  });

  it('flushes a stream at the end of the turn in which its rest has passed, whoever ends that turn', async () => {
    const { clock, order, schedule, stream } = setUp();
    const busy = stream('stream');
    schedule.add(busy);
    await turn();
    schedule.add(busy);
    clock.milliseconds = busy.restUntil;
    schedule.respond(() => order.push('response'));
    await turn();
    await turn();
    expect(order).toEqual(['stream', 'stream', 'response']);
  });

  it('flushes each of the streams that rest, and none twice', async () => {
    const { clock, order, schedule, stream } = setUp();
    const [early, late] = [stream('early'), stream('late')];
    early.restUntil = clock.milliseconds + 5;
    late.restUntil = clock.milliseconds + 20;
    schedule.add(late);
    schedule.add(early);
    clock.milliseconds += 5;
    await vi.waitFor(() => expect(order).toEqual(['early']));
    clock.milliseconds += 15;
    await vi.waitFor(() => expect(order).toEqual(['early', 'late']));
    for (let i = 0; i < 5; i++) await turn();
    expect(order).toHaveLength(2);
  });

  it('lets few streams rest only for a moment, however long their flush took', async () => {
    const { clock, schedule } = setUp();
    const flush = (): void => {
      clock.milliseconds += 20;
    };
    const slow = { restUntil: 0, flush };
    const streams = Array.from({ length: 200 }, () => ({ restUntil: 0, flush: () => undefined }));
    schedule.add(slow);
    await turn();
    expect(slow.restUntil).toBe(1000 + 4);
    for (const stream of [slow, ...streams]) {
      stream.restUntil = 0;
      schedule.add(stream);
    }
    await turn();
    expect(slow.restUntil).toBe(1020 + 201 * 0.5);
    expect(slow.restUntil).toBe(streams[199]?.restUntil);
  });

  it.each([
    [15, 90],
    [30, 128],
  ])('lets hundreds of streams whose flushes take %d ms rest for %d ms', async (cost, rest) => {
    const { clock, schedule } = setUp(0.25);
    const streams = Array.from({ length: 500 }, (_, i) => ({
      restUntil: 0,
      flush() {
        if (i === 0) clock.milliseconds += cost;
      },
    }));
    for (const stream of streams) schedule.add(stream);
    await turn();
    expect(new Set(streams.map(({ restUntil }) => restUntil))).toEqual(new Set([1000 + rest]));
  });
});
