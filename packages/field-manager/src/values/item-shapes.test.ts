import { describe, expect, it } from 'vitest';
import { ItemShapes } from './item-shapes.ts';

describe('ItemShapes', () => {
  it('remembers what was found out about items with the same members', () => {
    const shapes = new ItemShapes<string>();
    shapes.keep({ name: 'a', port: 1 }, 'known');
    expect(shapes.get({ name: 'b', port: 2 })).toBe('known');
    expect(shapes.get({ name: 'b', port: '2' })).toBeUndefined();
    expect(shapes.get('a')).toBeUndefined();
  });

  it('remembers few shapes', () => {
    const shapes = new ItemShapes<number>();
    const items = Array.from({ length: 1000 }, (_, i) => ({ [`name${i}`]: i }));
    for (const [index, item] of items.entries()) shapes.keep(item, index);
    const known = items.filter((item) => shapes.get(item) !== undefined);
    expect(known.length).toBeGreaterThan(0);
    expect(known.length).toBeLessThan(100);
  });
});
