import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLinearPattern } from './pattern.ts';

const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...'a b 0 é [ab] [^a] . \\d \\W ^ $ \\b'.split(' ')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => `(${parts.join('|')})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}'))
      .map(([inner, sign]) => `(?:${inner})${sign}`),
  ),
}));

describe('compileLinearPattern', () => {
  it('matches what the engine of the language matches, for shared syntax', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom(...'ab0é-😀'), maxLength: 10 }));
    fc.assert(
      fc.property(pattern, texts, (source, all) => {
        const linear = compileLinearPattern(source);
        const other = new RegExp(source, 'u');
        for (const text of all) expect([text, linear.test(text)]).toEqual([text, other.test(text)]);
      }),
    );
  });

  it.each([
    ['a(b', 'error parsing regexp: missing closing ): `a(b`'],
    ['[b-a]', 'error parsing regexp: invalid character class range: `b-a`'],
    ['a**', 'error parsing regexp: invalid nested repetition operator: `**`'],
    ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
  ])('rejects %s', (source, message) => {
    expect(() => compileLinearPattern(source)).toThrow(message);
  });

  it('does not backtrack repeatedly', () => {
    expect(compileLinearPattern('^(a+)+$').test(`${'a'.repeat(50_000)}b`)).toBe(false);
  });
});
