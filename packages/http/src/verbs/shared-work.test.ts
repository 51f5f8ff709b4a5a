import { orchVocabulary, type Steps } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { ObjectRecord } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import { shareWork } from './shared-work.ts';

const codec = { encode: () => new Uint8Array(0), decode: () => ({ kind: '', apiVersion: '', metadata: {} }) };
const recordOf = (): ObjectRecord => new ObjectRecord('/a', 1, new Uint8Array(0), codec);
const always = (): boolean => true;

/** Work of many slices, of which it counts the steps and how often it is begun. */
function setUp(fails = false) {
  let elapsed = 0;
  // each reading of the clock is a slice after the one before
  const monotonic = (): number => {
    elapsed += 100;
    return elapsed;
  };
  const done = { begun: 0, steps: 0, pauses: 0 };
  const ambient = {
    clock: { ...createSteppedClock(), monotonic },
    random: { bytes: (into: Uint8Array) => into },
    vocabulary: orchVocabulary,
    turns: { requestBegan: () => {}, atEndOfTurn: () => {}, pause: async () => void done.pauses++ },
  };
  const steps = function* (): Steps<{ readonly count: number }> {
    done.begun++;
    for (let count = 0; count < 10; count++) {
      yield;
      done.steps++;
    }
    if (fails) throw new Error('too much');
    return { count: done.steps };
  };
  const share = (record: ObjectRecord, isWanted = always, name = 'a') =>
    shareWork(record, { name, steps }, ambient, isWanted);
  return { done, share };
}

describe('shared work', () => {
  it('is done once, with pauses, for all who ask for it meanwhile', async () => {
    const { done, share } = setUp();
    const record = recordOf();
    const [first, second] = await Promise.all([share(record), share(record)]);
    expect(first).toEqual({ count: 10 });
    expect(second).toBe(first);
    expect(done.begun).toBe(1);
    expect(done.pauses).toBeGreaterThan(5);
  });

  it('is not kept, nor shared with what has another name or record', async () => {
    const { done, share } = setUp();
    const record = recordOf();
    await share(record);
    await Promise.all([share(record), share(record, always, 'b'), share(recordOf())]);
    expect(done.begun).toBe(4);
  });

  it('ends when nobody wants it any more', async () => {
    const { done, share } = setUp();
    const record = recordOf();
    const isWanted = (): boolean => done.steps < 3;
    expect(await Promise.all([share(record, isWanted), share(record, isWanted)])).toEqual([
      undefined,
      undefined,
    ]);
    expect(done.steps).toBe(3);
    expect(await Promise.all([share(record, () => false), share(record)])).not.toContain(undefined);
  });

  it('fails for all', async () => {
    const { share } = setUp(true);
    const record = recordOf();
    const results = await Promise.allSettled([share(record), share(record)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
