import { createSteppedClock } from '@ashlar/core/testing';
import { createMemoryStore, createObjectStore, type ObjectRecord, type ObjectStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import { jsonCodec } from '../objects/json-codec.fixture.ts';
import { ConversionAhead } from './conversion-ahead.ts';

const write = (store: ObjectStore, name: string, labels = {}) =>
  store.update(`/a/${name}`, () => ({
    action: 'write',
    object: { apiVersion: 'v1', kind: 'A', metadata: { name, labels } },
  }));

/** A store whose records are converted ahead; `calls` are the revisions of the records of each call. */
function converted(convert: () => Promise<void> = async () => {}) {
  const clock = createSteppedClock(0);
  const store = createObjectStore(createMemoryStore({ clock }), { codec: jsonCodec, clock });
  const calls: (readonly number[])[] = [];
  const ahead = new ConversionAhead({
    ...{ store, prefix: '/a/', ambient: { clock } },
    convert(records: readonly ObjectRecord[]) {
      calls.push(records.map(({ revision }) => revision));
      return convert();
    },
  });
  /** Lets what waits go on, then time pass, then what that begins. */
  const pass = async (milliseconds: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve));
    clock.advance(milliseconds);
    await new Promise((resolve) => setTimeout(resolve));
  };
  const read = async (): Promise<void> => {
    ahead.noteRead();
    await pass(0);
  };
  return { ahead, calls, pass, read, store };
}

describe('a version that is converted ahead', () => {
  it('costs nothing before it is read', async () => {
    const { calls, pass, store } = converted();
    await write(store, 'x');
    await pass(1_000);
    expect(calls).toEqual([]);
  });

  it('is converted a moment after changes, the latest state of each object with one call', async () => {
    const { calls, pass, read, store } = converted();
    await write(store, 'old');
    await read();
    await write(store, 'x');
    await write(store, 'x', { a: 'b' });
    await write(store, 'y');
    await write(store, 'gone');
    await store.update('/a/gone', () => ({ action: 'remove' }));
    expect(calls).toEqual([]);
    await pass(100);
    expect(calls).toEqual([[4, 5]]);
  });

  it('waits for one call before the next, however long it takes', async () => {
    let answer = (): void => {};
    const { calls, pass, read, store } = converted(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    await read();
    await write(store, 'x');
    await pass(100);
    await write(store, 'y');
    await write(store, 'z');
    await pass(10_000);
    expect(calls).toEqual([[2]]);
    answer();
    await pass(100);
    expect(calls).toEqual([[2], [3, 4]]);
  });

  it('goes on after a failure', async () => {
    const { calls, pass, read, store } = converted(() => Promise.reject(new Error('no')));
    await read();
    await write(store, 'x');
    await pass(100);
    await write(store, 'x', { a: 'b' });
    await pass(100);
    expect(calls).toEqual([[2], [3]]);
  });

  it('is no longer converted ten minutes after its last read, or when its type has gone', async () => {
    const { ahead, calls, pass, read, store } = converted();
    await read();
    await pass(601_000);
    await write(store, 'x');
    await pass(100);
    await write(store, 'y');
    await pass(100);
    expect(calls).toEqual([]);
    await read();
    await write(store, 'z');
    await pass(100);
    expect(calls).toEqual([[4]]);
    ahead[Symbol.dispose]();
    await read();
    await write(store, 'z', { a: 'b' });
    await pass(100);
    expect(calls).toEqual([[4]]);
  });
});
