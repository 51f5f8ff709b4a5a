import { FieldErrors, type Steps } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { ListRule } from './list-rule.ts';

const COUNT = 20_000;
const many = <T>(make: (i: number) => T): readonly T[] => Array.from({ length: COUNT }, (_, i) => make(i));

const pausesOf = (steps: Steps<unknown>): number => [...steps].length;

describe('the rule of a list', () => {
  it('looks at the items of a long one once, with pauses, and knows their errors at any path', () => {
    let looked = 0;
    const rule = new ListRule((item: number, path) => {
      looked++;
      return item % 9000 === 8999 ? [FieldErrors.invalid(path, item, 'is wrong')] : [];
    });
    const list = many((i) => i);
    expect(pausesOf(rule.aheadSteps(list))).toBeGreaterThan(COUNT / 128);
    expect(pausesOf(rule.aheadSteps(list))).toBe(0);
    expect(rule.errors('spec.a', list).map(({ field }) => field)).toEqual(['spec.a[8999]', 'spec.a[17999]']);
    expect(rule.errors('spec.b', list)[0]?.field).toBe('spec.b[8999]');
    expect(looked).toBe(COUNT);
    expect(rule.errors('spec.a', [...list])).toEqual(rule.errors('spec.a', list));
  });
});
