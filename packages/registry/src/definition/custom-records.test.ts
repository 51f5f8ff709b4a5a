import type { ApiObject, Schema } from '@ashlar/core';
import { createMemoryStore, createObjectStore, type ObjectCodec, ObjectRecord } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import { pages } from '../objects/test-resource.fixture.ts';
import { CustomRecords, type ObjectConverter } from './custom-records.ts';
import type { ResourceDefinition, ResourceVersion } from './resource-definition.ts';
import { withConversion } from './with-conversion.ts';

const schema: Schema = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } } },
};
const version = (name: string): ResourceVersion => ({ name, served: true, storage: name === 'v1', schema });
const definition: ResourceDefinition = {
  ...pages,
  dialect: 'custom',
  versions: [version('v1'), version('v2')],
};

/** Items of a large object, of which each takes several steps. */
const COUNT = 20_000;

const largeObject = (name: string): ApiObject =>
  ({
    apiVersion: 'books.io/v1',
    kind: 'Page',
    metadata: { name },
    items: Array.from({ length: COUNT }, (_, i) => ({ a: `item ${i}`, unknown: i })),
  }) as unknown as ApiObject;

/** Counts pauses, on a clock on which each look takes a millisecond, and decoded objects. */
function createReading(converter?: ObjectConverter) {
  const counts = { pauses: 0, decoded: 0 };
  let now = 0;
  const ambient = {
    clock: { monotonic: () => now++ } as never,
    turns: { requestBegan() {}, atEndOfTurn() {}, pause: async () => void counts.pauses++ } as never,
  };
  const codec: ObjectCodec = {
    encode: (object) => new TextEncoder().encode(JSON.stringify(object)),
    decode(bytes) {
      counts.decoded++;
      return JSON.parse(new TextDecoder().decode(bytes)) as ApiObject;
    },
  };
  const versionNamed = (name: string) =>
    definition.versions.find((candidate) => candidate.name === name) as ResourceVersion;
  const records = new CustomRecords({
    ...{ definition, ambient, converter },
    version: versionNamed,
    storedVersion: ({ apiVersion }) => versionNamed(apiVersion.slice('books.io/'.length)),
    apiVersion: (name) => `books.io/${name}`,
  });
  const record = (object: ApiObject): ObjectRecord =>
    new ObjectRecord(`/x/${object.metadata.name}`, 1, codec.encode(object), codec);
  return { ...{ counts, codec, records }, record };
}

const itemsOf = ({ object }: ObjectRecord): readonly object[] =>
  (object as unknown as { items: readonly object[] }).items;

describe('records of custom types', () => {
  it('are read at once if they are small', () => {
    const { records, record, counts } = createReading();
    const small = record({ ...largeObject('a'), items: [{ a: 'b', unknown: 1 }] } as unknown as ApiObject);
    expect(records.readAhead([small], 'v1', true)).toBeUndefined();
    expect(itemsOf(records.inVersion(small, 'v1'))).toEqual([{ a: 'b' }]);
    expect(counts.pauses).toBe(0);
  });

  it('keep what a converter returned when they are superseded', async () => {
    const { records, record } = createReading({
      convert: async (objects, apiVersion) => objects.map((object) => ({ ...object, apiVersion })),
    });
    const small = record({ ...largeObject('a'), items: [] } as unknown as ApiObject);
    await records.readAhead([small], 'v2', false);
    small.supersede();
    await Promise.resolve();
    expect(records.inVersion(small, 'v2').object.apiVersion).toBe('books.io/v2');
  });

  it('lose nulls that another version does not have', () => {
    const { records, record } = createReading();
    const stored = record({ ...largeObject('a'), items: null } as unknown as ApiObject);
    expect(records.inVersion(stored, 'v2').object).not.toHaveProperty('items');
  });

  it('are read ahead with pauses if they are large, and not again', async () => {
    const { records, record, counts } = createReading();
    const large = record(largeObject('a'));
    await records.readAhead([large], 'v1', true);
    // an item is a step of a thousand at least in pruning, sorting, freezing
    expect(counts.pauses).toBeGreaterThan(5);
    const { pauses } = counts;
    expect(records.isRead(large, 'v1')).toBe(true);
    expect(records.readAhead([large], 'v1', true)).toBeUndefined();
    expect(itemsOf(records.inVersion(large, 'v1'))).toHaveLength(COUNT);
    expect(itemsOf(records.inVersion(large, 'v1'))[7]).toEqual({ a: 'item 7' });
    expect(counts.pauses).toBe(pauses);
  });

  it('are read once for all that wait for them', async () => {
    const { records, record, counts } = createReading();
    const large = record(largeObject('a'));
    await Promise.all(Array.from({ length: 50 }, () => records.readAhead([large], 'v1', false)));
    expect(counts.decoded).toBe(1);
  });

  it('are converted together, and pruned and sorted with pauses', async () => {
    const calls: number[] = [];
    const { records, record, counts } = createReading({
      async convert(objects, apiVersion) {
        calls.push(objects.length);
        return objects.map((object) => ({ ...object, apiVersion }));
      },
    });
    const all = [record(largeObject('a')), record(largeObject('b'))];
    await records.readAhead(all, 'v2', false);
    expect(calls).toEqual([2]);
    expect(counts.pauses).toBeGreaterThan(10);
    expect(all.map((one) => records.inVersion(one, 'v2').object.apiVersion)).toEqual([
      'books.io/v2',
      'books.io/v2',
    ]);
  });

  it('leave what cannot be read to its reader', async () => {
    const { records, codec } = createReading();
    const broken = new ObjectRecord('/x/a', 1, new TextEncoder().encode(`{"${'a'.repeat(40_000)}`), codec);
    await records.readAhead([broken], 'v1', true);
    expect(() => records.inVersion(broken, 'v1')).toThrow();
  });

  it('are ready when watches and lists have them', async () => {
    const { records, codec, counts } = createReading();
    const clock = { now: () => 0, monotonic: () => 0, setTimer: () => ({ clear() {} }) } as never;
    const inner = createObjectStore(createMemoryStore({ clock }), { codec, clock });
    const store = withConversion(inner, (all, alone) => records.readAhead(all, 'v1', alone), false);
    const ready: boolean[] = [];
    const isRead = (record: ObjectRecord): boolean => records.isRead(record, 'v1');
    const received = new Promise<void>((resolve, reject) => {
      const events = (batch: readonly { readonly record: ObjectRecord }[]): void => {
        ready.push(...batch.map(({ record }) => isRead(record)));
        resolve();
      };
      store.watch('/x/', { afterRevision: 1 }, { events, error: reject });
    });
    await store.update('/x/a', () => ({ action: 'write', object: largeObject('a') }));
    await received;
    expect(ready).toEqual([true]);
    expect((await store.list('/x/')).records.map(isRead)).toEqual([true]);
    expect(counts.pauses).toBeGreaterThan(5);
  });
});
