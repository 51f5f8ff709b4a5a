import type { JsonObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { FieldType, ListType } from './field-type.ts';
import { ListElements } from './list-item.ts';

const ITEM: FieldType = { scalar: 'untyped', list: undefined, map: undefined, isDeduced: true };

/** A type by one key, which counts how often items are looked at. */
function counted(count: number): { list: ListType; items: JsonObject[]; reads: () => number } {
  let reads = 0;
  const items = Array.from({ length: count }, (_, i) => ({
    get id() {
      reads++;
      return `i${i}`;
    },
  }));
  const list: ListType = { isAtomic: false, keys: ['id'], items: ITEM };
  return { list, items: items as JsonObject[], reads: () => reads };
}

describe('the elements of a list', () => {
  it('are made once for all who walk over it', () => {
    const { list, items, reads } = counted(30_000);
    for (let walk = 0; walk < 3; walk++) {
      const elements = ListElements.of(list, items);
      for (const index of items.keys()) expect(elements.at(index).text).toBe(`k:{"id":"i${index}"}`);
    }
    expect(reads()).toBe(30_000);
  });

  it('are those of the type that is asked for', () => {
    const { list, items } = counted(2);
    expect(ListElements.of(list, items).at(1).text).toBe('k:{"id":"i1"}');
    const keyed: ListType = { ...list, keys: ['name'] };
    expect(() => ListElements.of(keyed, items).at(1)).toThrow('name');
  });
});
