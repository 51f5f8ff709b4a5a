import type { ApiObject, Schema } from '@ashlar/core';
import { createMemoryStore, createObjectStore, type ObjectCodec } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import { jsonCodec } from '../objects/json-codec.fixture.ts';
import { createTestResource, selecting, shelvesOf } from '../objects/test-resource.fixture.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      preserveUnknownFields: true,
      properties: { size: { type: 'string', default: 'small' } },
    },
  },
};
const ITEMS = Array.from({ length: 10_000 }, (_, a) => ({ a }));
const sizeOf = (object: ApiObject): string =>
  String((object as { spec?: { size?: unknown } }).spec?.size ?? '');

/** A custom type with a selectable field, and how many bytes were decoded of its objects. */
function shelves() {
  let decoded = 0;
  const codec: ObjectCodec = {
    encode: jsonCodec.encode,
    decode: (bytes) => {
      decoded += bytes.length;
      return jsonCodec.decode(bytes);
    },
  };
  const clock = { now: () => 0, monotonic: () => 0, setTimer: () => ({ clear: () => {} }) };
  const store = createObjectStore(createMemoryStore({ clock }), { codec, clock });
  const definition = shelvesOf({ schema });
  const selectableFields = {
    names: ['spec.size'],
    valueOf: sizeOf,
    pathOf: (field: string) => field.split('.'),
  };
  const versions = definition.versions.map((version) => ({ ...version, selectableFields }));
  const resource = createTestResource({ definition: { ...definition, versions }, store });
  return { ...resource, decoded: () => decoded };
}

describe('selectable fields', () => {
  it.each([10, 100])(
    'of %d large custom objects are read without the rest of them, and once',
    async (count) => {
      const { create, names, decoded } = shelves();
      for (let i = 0; i < count; i++)
        await create(`a${i}`, { spec: { items: ITEMS, ...(i % 2 === 0 && { size: 'large' }) } });
      const before = decoded();
      expect(await names(selecting('', 'spec.size=other'))).toEqual([]);
      expect(await names(selecting('', 'spec.size!=small,spec.size!=large'))).toEqual([]);
      expect(decoded() - before).toBeLessThan(100 * count);
      const once = decoded();
      expect(await names(selecting('', 'spec.size=others'))).toEqual([]);
      expect(decoded()).toBe(once);
    },
  );

  it('of large objects have their defaults', async () => {
    const { create, names } = shelves();
    await create('a', { spec: { items: ITEMS } });
    await create('b', { spec: { items: ITEMS, size: 'large' } });
    await create('c', { spec: {} });
    expect(await names(selecting('', 'spec.size=small'))).toEqual(['a', 'c']);
    expect(await names(selecting('', 'spec.size!=small'))).toEqual(['b']);
  });
});
