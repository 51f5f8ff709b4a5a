import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUrlReference, urlReferenceError } from './url.ts';

describe('the error of a URL', () => {
  it('is that of its parts, which are not made', () => {
    const units = ['a', ':', '/', '//', '?', '#', '%', '2', 'F', '@', '[', ']', ' ', 'https://'];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...units) }), (text) => {
        const parts = parseUrlReference(text);
        expect(urlReferenceError(text)).toBe(typeof parts === 'string' ? parts : undefined);
      }),
    );
  });

  it.each(['/a%', '/%%25', '/%2', '/%zz', '/a#%2'])('%s has an escape that is none', (text) => {
    expect(urlReferenceError(text)).toContain('invalid URL escape');
  });
});
