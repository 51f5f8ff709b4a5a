import { describe, expect, it } from 'vitest';
import { itemsByKeys } from './list-map-items.ts';

describe('the items of a list map', () => {
  it('are found by one key or several, of which texts are no numbers', () => {
    const items = [
      { k: 1, v: 'a' },
      { k: '1', v: 'b' },
      { k: 1n, p: 'x' },
    ];
    const find = itemsByKeys(items, ['k']);
    expect(find({ k: 1 })).toBe(items[0]);
    expect(find({ k: '1' })).toBe(items[1]);
    expect(itemsByKeys(items, ['k', 'p'])({ k: 1, p: 'x' })).toBe(items[2]);
  });

  it('are not found without their keys, or by keys that are no scalars', () => {
    const find = itemsByKeys([{}, { k: null }, { k: {} }, 'x', null], ['k']);
    for (const item of [{}, { k: null }, { k: {} }, 'x', null]) expect(find(item)).toBeUndefined();
  });

  it('are the first of those with the same keys', () => {
    const items = [
      { k: 'a', v: 1 },
      { k: 'a', v: 2 },
    ];
    expect(itemsByKeys(items, ['k'])({ k: 'a' })).toBe(items[0]);
  });
});
