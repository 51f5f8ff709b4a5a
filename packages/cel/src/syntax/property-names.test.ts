import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeProperty, unescapeProperty } from './property-names.ts';

describe('property names', () => {
  it.each([
    ['a', 'a'],
    ['a.b', 'a__dot__b'],
    ['a-b', 'a__dash__b'],
    ['a/b', 'a__slash__b'],
    ['a__b', 'a__underscores__b'],
    ['namespace', '__namespace__'],
    ['in', '__in__'],
    ['$ref', undefined],
    ['1a', undefined],
    ['', undefined],
  ])('%j is escaped as %j', (name, identifier) => {
    expect(escapeProperty(name)).toBe(identifier);
  });

  it('round-trip', () => {
    const name = fc.string({ unit: fc.constantFrom(...'ab_.-/1', 'if', 'in') });
    fc.assert(
      fc.property(name, (text) => {
        const identifier = escapeProperty(text);
        if (identifier === undefined) return;
        expect(identifier).toMatch(/^[A-Za-z_]\w*$/);
        expect(unescapeProperty(identifier)).toBe(text);
      }),
    );
  });
});
