import type { JsonObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { isEmptyMap } from '../typed/typed-value.ts';
import { markLarge } from './large-parts.ts';
import { ShapeTree } from './shape-tree.ts';

/** Whether what is remembered of one object is found for another. */
function isShared(one: JsonObject, two: JsonObject): boolean {
  const tree = new ShapeTree<string>();
  return tree.set(one, 'known') && tree.get(two) === 'known';
}

describe('ShapeTree', () => {
  it('gives objects with the same members of the same kinds one shape', () => {
    const one = {
      metadata: { name: 'a' },
      spec: { text: 'x', count: 1, rate: 1.5, on: true, none: null, parts: {} },
    };
    const two = {
      metadata: { name: 'b' },
      spec: { text: '', count: 0, rate: 0.1, on: false, none: null, parts: {} },
    };
    expect(isShared(one, two)).toBe(true);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['names', { a: 's' }, { b: 's' }],
    ['nesting', { a: { b: 's' } }, { a: {}, b: 's' }],
    ['names that look like kinds', { a: { '}': 's' } }, { a: {}, s: 's' }],
    ['texts and numbers', { a: '1' }, { a: 1 }],
    ['whole and other numbers', { a: 1 }, { a: 1.5 }],
    ['null and none', { a: null }, {}],
    ['null and an object', { a: null }, { a: {} }],
    ['more and fewer members', { a: 's' }, { a: 's', b: 's' }],
  ])('tells objects of different %s apart', (_, one, two) => {
    expect([isShared(one, two), isShared(two, one)]).toEqual([false, false]);
  });

  it('keeps several shapes apart that begin alike', () => {
    const tree = new ShapeTree<number>();
    const objects: readonly JsonObject[] = [{ a: 's' }, { a: 's', b: 's' }, { a: { b: 's' } }, { a: {} }, {}];
    objects.forEach((object, i) => void tree.set(object, i));
    expect(objects.map((object) => tree.get(object))).toEqual([0, 1, 2, 3, 4]);
  });

  it('remembers nothing of objects without a shape', () => {
    const tree = new ShapeTree<string>();
    expect(tree.set({ a: 's', b: { c: [] } }, 'known')).toBe(false);
    expect(tree.size).toBe(0);
    expect(tree.set({ a: 's', b: { c: null } }, 'known')).toBe(true);
    expect(tree.size).toBeGreaterThan(0);
  });

  it('has no shape for lists, whose items may be known by their values, and for long ones', () => {
    const tree = new ShapeTree<string>();
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`n${i}`, 's']));
    const objects: readonly JsonObject[] = [{ a: [] }, { a: { b: [1] } }, many, { ['a'.repeat(601)]: 's' }];
    expect(objects.map((object) => tree.set(object, 'known'))).toEqual([false, false, false, false]);
    expect(objects.map((object) => tree.get(object))).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('does not list the members of an object that is known to be large', () => {
    let lists = 0;
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`n${i}`, 's']));
    const counting: ProxyHandler<Record<string, string>> = {
      ownKeys(target) {
        lists++;
        return Reflect.ownKeys(target);
      },
    };
    const watched: JsonObject = new Proxy(many, counting);
    const tree = new ShapeTree<string>();
    expect([tree.set(watched, 'known'), tree.get(watched)]).toEqual([false, undefined]);
    expect(lists).toBeGreaterThan(0);
    markLarge(watched, Object.keys(many));
    lists = 0;
    expect([tree.set({ a: watched }, 'known'), tree.get({ a: watched })]).toEqual([false, undefined]);
    expect(isEmptyMap(watched)).toBe(false);
    expect(lists).toBe(0);
  });
});
