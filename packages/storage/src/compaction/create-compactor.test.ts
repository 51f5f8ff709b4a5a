import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import { expect, test } from 'vitest';
import { createMemoryStore, type MemoryStore } from '../memory/memory-store.ts';
import { createCompactor } from './create-compactor.ts';

const settle = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

/** A store that discards nothing by itself. */
function createStage(): { clock: SteppedClock; store: MemoryStore; pass: () => Promise<void> } {
  const clock = createSteppedClock();
  const store = createMemoryStore({ clock, historyMilliseconds: Number.POSITIVE_INFINITY });
  const pass = async (): Promise<void> => {
    clock.advance(1000);
    await settle();
  };
  return { clock, store, pass };
}

const put = (store: MemoryStore): number => store.put('/a', new Uint8Array()).revision;
const oldest = (store: MemoryStore): number | undefined => store.usage?.().oldestRevision;

test('discards what is older than the interval, and nothing newer', async () => {
  const { clock, store, pass } = createStage();
  put(store);
  using _ = createCompactor(store, { clock, intervalMilliseconds: 1000 });
  await pass();
  put(store);
  expect(oldest(store)).toBe(1);
  await pass();
  expect(oldest(store)).toBe(2);
  put(store);
  await pass();
  expect(oldest(store)).toBe(3);
  await pass();
  expect(oldest(store)).toBe(4);
});

test('continues after a failure, which is reported', async () => {
  const { clock, store, pass } = createStage();
  const errors: unknown[] = [];
  const failing = Object.assign(Object.create(store) as MemoryStore, {
    currentRevision: () => store.currentRevision(),
    compact: (revision: number) => {
      if (errors.length === 0) throw new Error('not now');
      store.compact(revision);
    },
  });
  put(store);
  using _ = createCompactor(failing, {
    clock,
    intervalMilliseconds: 1000,
    onError: (error) => errors.push(error),
  });
  await pass();
  await pass();
  expect([errors, oldest(store)]).toEqual([[new Error('not now')], 1]);
  await pass();
  expect([errors.length, oldest(store)]).toEqual([1, 2]);
});

test('ends when it is disposed, and with the store', async () => {
  const { clock, store, pass } = createStage();
  const errors: unknown[] = [];
  const options = { clock, intervalMilliseconds: 1000, onError: (error: unknown) => errors.push(error) };
  const disposed = createCompactor(store, options);
  put(store);
  await pass();
  disposed[Symbol.dispose]();
  await pass();
  expect(oldest(store)).toBe(1);
  using _ = createCompactor(store, options);
  await pass();
  await store[Symbol.asyncDispose]();
  await pass();
  await pass();
  expect(errors).toEqual([]);
});

test('requires an interval', () => {
  const { clock, store } = createStage();
  expect(() => createCompactor(store, { clock, intervalMilliseconds: 0 })).toThrow(TypeError);
});
