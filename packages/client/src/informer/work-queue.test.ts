import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualAmbient } from '../manual-ambient.fixture.ts';
import { createWorkQueue } from './work-queue.ts';

describe('a work queue', () => {
  it('returns each key once, in the order of addition', async () => {
    const queue = createWorkQueue({ ambient: createManualAmbient() });
    for (const key of ['a', 'b', 'a']) queue.add(key);
    expect(queue.length).toBe(2);
    expect([await queue.take(), await queue.take()]).toEqual(['a', 'b']);
    const next = queue.take();
    queue.add('c');
    expect(await next).toBe('c');
  });

  it('does not return a key in progress, but again afterwards', async () => {
    const queue = createWorkQueue({ ambient: createManualAmbient() });
    queue.add('a');
    await queue.take();
    queue.add('a');
    queue.add('a');
    expect(queue.length).toBe(0);
    queue.done('a');
    expect(queue.length).toBe(1);
    expect(await queue.take()).toBe('a');
    queue.done('a');
    expect(queue.length).toBe(0);
  });

  it('adds keys after a delay, at the earliest of several times', async () => {
    const ambient = createManualAmbient();
    const queue = createWorkQueue({ ambient });
    queue.addAfter('a', 100);
    queue.addAfter('a', 50);
    queue.addAfter('a', 200);
    await ambient.advance(49);
    expect(queue.length).toBe(0);
    await ambient.advance(1);
    expect(queue.length).toBe(1);
    expect(ambient.pending()).toEqual([]);
    queue.addAfter('b', 0);
    expect(queue.length).toBe(2);
  });

  it('retries failed work, with growing delays, until it succeeds', async () => {
    const ambient = createManualAmbient();
    const queue = createWorkQueue({ ambient, baseDelayMilliseconds: 10, maximumDelayMilliseconds: 50 });
    const times: number[] = [];
    const failures: number[] = [];
    const over = queue.run(
      async (key) => {
        times.push(ambient.clock.now());
        if (times.length < 6) throw new Error(key);
      },
      { onError: (_, count) => failures.push(count) },
    );
    queue.add('a');
    await ambient.advance(1000);
    expect(times).toEqual([0, 10, 30, 70, 120, 170]);
    expect(failures).toEqual([1, 2, 3, 4, 5]);
    expect(queue.failures('a')).toBe(0);
    queue.close();
    await over;
  });

  it('repeats work on request', async () => {
    const ambient = createManualAmbient();
    const queue = createWorkQueue({ ambient });
    const times: number[] = [];
    const over = queue.run(async () => {
      times.push(ambient.clock.now());
      return times.length < 3 ? { againAfterMilliseconds: 60_000 } : undefined;
    });
    queue.add('a');
    await ambient.advance(300_000);
    expect(times).toEqual([0, 60_000, 120_000]);
    queue.close();
    await over;
  });

  it('aborts running work when closed, waits for it, and accepts nothing more', async () => {
    const ambient = createManualAmbient();
    const queue = createWorkQueue({ ambient });
    const received: unknown[] = [];
    const over = queue.run(
      (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      { onError: (error) => received.push(error) },
    );
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 10);
    await ambient.settle();
    queue.close();
    await over;
    queue.add('d');
    await ambient.advance(1000);
    expect([received, queue.length, ambient.pending()]).toEqual([[], 0, []]);
    expect(await queue.take()).toBeUndefined();
  });

  it('never works on a key twice at a time, and works on every key after its last addition', async () => {
    const plan = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(3)), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 3 }), async (adds, workers) => {
        const queue = createWorkQueue({ ambient: createManualAmbient() });
        const active = new Set<string>();
        const lastAdded = new Map<string, number>();
        const lastBegun = new Map<string, number>();
        let moment = 0;
        const over = queue.run(
          async (key) => {
            expect(active.has(key)).toBe(false);
            active.add(key);
            expect(active.size).toBeLessThanOrEqual(workers);
            lastBegun.set(key, ++moment);
            for (let i = 0; i < 3; i++) await Promise.resolve();
            active.delete(key);
          },
          { workers },
        );
        for (const [key, turns] of adds) {
          lastAdded.set(key, ++moment);
          queue.add(key);
          for (let i = 0; i < turns; i++) await Promise.resolve();
        }
        await new Promise((resolve) => setImmediate(resolve));
        for (const [key, at] of lastAdded) expect(lastBegun.get(key)).toBeGreaterThan(at);
        queue.close();
        await over;
      }),
    );
  });
});
