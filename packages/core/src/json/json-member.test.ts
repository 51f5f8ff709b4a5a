import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasMember, ownMember, setMember } from './json-member.ts';

const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString'));

describe('members', () => {
  it('are those that were set, whatever their names', () => {
    fc.assert(
      fc.property(key, fc.jsonValue(), (name, value) => {
        const object: Record<string, unknown> = {};
        expect(hasMember(object as never, name)).toBe(false);
        setMember(object, name, value);
        expect(ownMember(object as never, name)).toBe(value);
        expect(Object.keys(object)).toEqual([name]);
        expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
      }),
    );
  });

  it('that are undefined are absent', () => {
    expect(hasMember({ a: undefined }, 'a')).toBe(false);
  });
});
