import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmptyObject, knownMembers, memberNames } from './member-names.ts';

const objectOf = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`b${count - i}`, i]));

describe('memberNames', () => {
  it('lists names as Object.keys does', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer(), { maxKeys: 200, size: '+2' }), (object) => {
        expect(memberNames(object)).toEqual(Object.keys(object));
        expect(memberNames(object)).toEqual(Object.keys(object));
      }),
    );
  });

  it('remembers the names of large objects', () => {
    const object = objectOf(1000);
    const names = memberNames(object);
    expect(names).toEqual(Object.keys(object));
    expect(memberNames(object)).toBe(names);
  });

  it('knows how many members an object has only where they are many and were asked for', () => {
    const [small, large] = [objectOf(10), objectOf(1000)];
    expect([knownMembers(small), knownMembers(large)]).toEqual([0, 0]);
    memberNames(small);
    memberNames(large);
    expect([knownMembers(small), knownMembers(large)]).toEqual([0, 1000]);
  });
});

describe('isEmptyObject', () => {
  it('tells objects without members', () => {
    const large = objectOf(1000);
    memberNames(large);
    expect([{}, [], { a: undefined }, [1], large].map(isEmptyObject)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
