import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasMember, objectOf, ownMember, setMember } from './json-member.ts';

const key = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'toString'),
  fc.constantFrom('7', '8', '999', '0999', '4294967294', '4294967295'),
  fc.nat().map(String),
);

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

  it('of an object are the last ones of their names, indexes first, as if they were assigned', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.nat())), (entries) => {
        const object = objectOf(entries);
        expect(Object.entries(object)).toEqual(Object.entries(Object.fromEntries(entries)));
      }),
    );
  });

  it('with an index as their name take no memory for all indexes below it', () => {
    const before = process.memoryUsage().heapUsed;
    const objects = Array.from({ length: 5_000 }, () => objectOf([['999', 0]]));
    // 60 MB if memory for a thousand members is reserved in each
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
    expect(objects).toHaveLength(5_000);
  });

  it('that are undefined are absent', () => {
    expect(hasMember({ a: undefined }, 'a')).toBe(false);
  });
});
