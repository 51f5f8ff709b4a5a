import { describe, expect, it } from 'vitest';
import { ElementCache } from './element-cache.ts';

function filled(count: number): ElementCache<number> {
  const cache = new ElementCache<number>();
  for (let i = 0; i < count; i++) cache.add(`e${i}`, i);
  return cache;
}

describe('ElementCache', () => {
  it('returns what was added', () => {
    const cache = filled(100);
    expect([cache.add('a', -1), cache.get('a'), cache.get('e7'), cache.get('b')]).toEqual([
      -1,
      -1,
      7,
      undefined,
    ]);
  });

  it('keeps no long keys', () => {
    const cache = filled(0);
    expect([cache.add('a'.repeat(201), 1), cache.get('a'.repeat(201))]).toEqual([1, undefined]);
  });

  it('finds the first elements of a walk again that has more than fit', () => {
    const cache = filled(30_000);
    expect([cache.get('e9999'), cache.get('e10000'), cache.get('e29999')]).toEqual([
      9999,
      undefined,
      undefined,
    ]);
  });

  it('is emptied after many elements that did not fit', () => {
    const cache = filled(115_000);
    expect([cache.get('e0'), cache.get('e112000')]).toEqual([undefined, 112_000]);
  });
});
