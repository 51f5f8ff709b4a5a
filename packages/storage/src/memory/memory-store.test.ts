import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, test } from 'vitest';
import { type KeyValueEvent, RevisionCompactedError } from '../contracts/key-value-store.ts';
import { testKeyValueStore } from '../suites/test-key-value-store.ts';
import { createMemoryStore } from './memory-store.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

testKeyValueStore('memory store', ({ clock }) => createMemoryStore({ clock }), {
  describe,
  test,
  historyMilliseconds: 300_000,
});

describe('memory store', () => {
  test('pages over a revision during writes', () => {
    const store = createMemoryStore({ clock: createSteppedClock() });
    for (let i = 0; i < 2000; i++) store.put(`/a/${String(i).padStart(4, '0')}`, bytes(`${i}`));
    const first = store.range('/a/', { limit: 500 });
    expect(first.entries).toHaveLength(500);
    expect(first.remaining).toBe(1500);
    for (let i = 0; i < 2000; i += 2) store.delete(`/a/${String(i).padStart(4, '0')}`);
    const keys = first.entries.map((entry) => entry.key);
    for (let page = first; page.remaining > 0; ) {
      page = store.range('/a/', { limit: 500, after: keys.at(-1) as string, atRevision: first.revision });
      keys.push(...page.entries.map((entry) => entry.key));
    }
    expect(keys).toHaveLength(2000);
    expect(store.range('/a/').entries).toHaveLength(1000);
  });

  test('reads every retained revision unchanged', () => {
    const store = createMemoryStore({ clock: createSteppedClock() });
    for (let i = 0; i < 3000; i++) store.put(`/a/${i % 7}`, bytes(`${i}`));
    for (const revision of [1, 2, 5, 700, 2047, 2048, 2049, 2050, 2500, 3001]) {
      const { entries } = store.range('/a/', { atRevision: revision });
      expect(entries).toHaveLength(Math.min(7, revision - 1));
      for (const entry of entries) expect(revision - entry.revision).toBeLessThan(7);
    }
  });

  test('discards history by time, even when idle', async () => {
    const clock = createSteppedClock();
    const store = createMemoryStore({ clock, historyMilliseconds: 1000 });
    store.put('/a', bytes('1'));
    store.put('/a', bytes('2'));
    clock.advance(999);
    expect(store.range('/a', { atRevision: 2 }).entries).toHaveLength(1);
    clock.advance(1);
    expect(() => store.range('/a', { atRevision: 2 })).toThrow(RevisionCompactedError);
    expect(store.range('/a', { atRevision: 3 }).entries).toHaveLength(1);
    const errors: Error[] = [];
    store.watch('/a', { afterRevision: 2 }, { events: () => {}, error: (error) => errors.push(error) });
    expect(errors).toEqual([]);
    await Promise.resolve();
    expect(errors).toEqual([new RevisionCompactedError(2, 3)]);
  });

  test('discards history that exceeds its memory limit', () => {
    const store = createMemoryStore({ clock: createSteppedClock(), historyBytes: 100_000 });
    for (let i = 0; i < 10_000; i++) store.put('/a', new Uint8Array(i < 5000 ? 10_000 : 0));
    // a small event each since the large values were discarded
    expect(store.range('/a', { atRevision: store.currentRevision() - 150 }).entries).toHaveLength(1);
    expect(() => store.range('/a', { atRevision: store.currentRevision() - 300 })).toThrow(
      RevisionCompactedError,
    );
    for (let i = 0; i < 50; i++) store.put('/a', new Uint8Array(10_000));
    expect(store.range('/a', { atRevision: store.currentRevision() - 9 }).entries).toHaveLength(1);
    expect(() => store.range('/a', { atRevision: store.currentRevision() - 11 })).toThrow(
      RevisionCompactedError,
    );
  });

  test('limits the history of a fork from where it was', () => {
    const store = createMemoryStore({ clock: createSteppedClock(), historyBytes: 50_000 });
    for (let i = 0; i < 40; i++) store.put('/a', new Uint8Array(5000));
    let fork = store;
    for (let i = 0; i < 40; i++) {
      fork = fork.fork();
      fork.put('/a', new Uint8Array(5000));
      const revision = fork.currentRevision();
      expect(fork.range('/a', { atRevision: revision - 8 }).entries).toHaveLength(1);
      expect(() => fork.range('/a', { atRevision: revision - 10 })).toThrow(RevisionCompactedError);
    }
  });

  test('delivers the writes of one turn in one batch', async () => {
    const store = createMemoryStore({ clock: createSteppedClock() });
    const batches: (readonly KeyValueEvent[])[] = [];
    store.watch('/a/', { afterRevision: 1 }, { events: (batch) => batches.push(batch), error: () => {} });
    store.put('/a/1', bytes('1'));
    store.put('/b/1', bytes('1'));
    store.delete('/a/1');
    expect(batches).toEqual([]);
    await Promise.resolve();
    expect(batches.map((batch) => batch.map((event) => `${event.type} ${event.revision}`))).toEqual([
      ['put 2', 'delete 4'],
    ]);
  });
});
