import { createSteppedClock } from '@ashlar/core/testing';
import { createMemoryStore, createObjectStore, type ObjectRecord, type ObjectStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import { jsonCodec } from '../objects/json-codec.fixture.ts';
import { type ReadAhead, withConversion } from './with-conversion.ts';

const clock = createSteppedClock(0);
const object = (name: string) => ({ apiVersion: 'v1', kind: 'A', metadata: { name } });

function storeWith(ahead: ReadAhead): ObjectStore {
  const storage = createMemoryStore({ clock });
  return withConversion(createObjectStore(storage, { codec: jsonCodec, clock }), ahead);
}

const write = (store: ObjectStore, name: string) =>
  store.update(`/a/${name}`, () => ({ action: 'write', object: object(name) }));
const namesOf = (records: readonly ObjectRecord[]): readonly string[] =>
  records.map(({ key }) => key.slice('/a/'.length));

describe('a store with conversion', () => {
  it('converts records before it returns them, lists at once', async () => {
    const converted: unknown[] = [];
    const store = storeWith(
      (records, isRead) => void (records.length > 0 && converted.push([namesOf(records), isRead])),
    );
    await write(store, 'x');
    await write(store, 'y');
    converted.length = 0;
    expect((await store.list('/a/')).records).toHaveLength(2);
    expect((await store.get('/a/x'))?.key).toBe('/a/x');
    expect(converted).toEqual([
      [['x', 'y'], false],
      [['x'], true],
    ]);
  });

  it('fails only the call whose record cannot be converted', async () => {
    const store = storeWith(async (records) => {
      if (namesOf(records).includes('bad')) throw new Error('no');
    });
    await write(store, 'good');
    await expect(write(store, 'bad')).rejects.toThrow('no');
    await expect(store.list('/a/')).rejects.toThrow('no');
    expect((await store.get('/a/good'))?.key).toBe('/a/good');
  });

  it('delivers events in order, however long each takes, until one cannot be converted', async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const store = storeWith((records) => {
      const names = namesOf(records);
      if (names.includes('bad')) return Promise.reject(new Error('no'));
      return names.includes('slow') ? gate : undefined;
    });
    const received: string[] = [];
    const ended = new Promise<Error>((resolve) => {
      store.watch(
        '/a/',
        { afterRevision: 1 },
        {
          events: (batch) => received.push(...namesOf(batch.map(({ record }) => record))),
          error: resolve,
        },
      );
    });
    const slow = write(store, 'slow');
    await write(store, 'quick');
    expect(received).toEqual([]);
    open();
    await slow;
    await expect(write(store, 'bad')).rejects.toThrow('no');
    await write(store, 'later');
    expect((await ended).message).toBe('no');
    expect(received.filter((name) => name !== 'later')).toEqual(['slow', 'quick']);
  });
});
