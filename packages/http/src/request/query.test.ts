import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Query, queryOf } from './query.ts';

describe('Query', () => {
  it('is shared by requests with the same text, of which a bounded number is remembered', () => {
    const first = queryOf('a=1');
    expect(queryOf('a=1')).toBe(first);
    for (let i = 0; i < 256; i++) expect(queryOf(`b=${i}`).get('b')).toBe(String(i));
    expect(queryOf('a=1')).not.toBe(first);
    expect(queryOf('a=1').get('a')).toBe('1');
  });

  it('returns the first value of a name, or all in order', () => {
    const query = new Query('a=1&b=&a=2&c');
    expect([query.get('a'), query.get('b'), query.get('c'), query.get('d')]).toEqual([
      '1',
      '',
      '',
      undefined,
    ]);
    expect(query.all('a')).toEqual(['1', '2']);
    expect(query.all('d')).toEqual([]);
    expect([query.has('b'), query.has('c'), query.has('d')]).toEqual([true, true, false]);
  });

  it('decodes escapes and plus signs', () => {
    const query = new Query('a%20b=c+d%2Be&%D0%BA=%D1%8F');
    expect(query.get('a b')).toBe('c d+e');
    expect(query.get('к')).toBe('я');
  });

  it('skips pairs with an invalid escape, and empty ones', () => {
    const query = new Query('&a=%zz&%ff=1&b=2&&');
    expect([query.has('a'), query.get('b')]).toEqual([false, '2']);
  });

  it('has no inherited names', () => {
    const query = new Query('__proto__=x&constructor=y');
    expect([query.get('__proto__'), query.get('constructor'), query.get('toString')]).toEqual([
      'x',
      'y',
      undefined,
    ]);
  });

  it('decodes what any client encodes', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })));
    fc.assert(
      fc.property(pairs, (sent) => {
        const text = new URLSearchParams();
        for (const [name, value] of sent) text.append(name, value);
        const query = new Query(text.toString());
        for (const [name] of sent) {
          expect(query.all(name)).toEqual(sent.filter(([other]) => other === name).map(([, value]) => value));
        }
      }),
    );
  });

  it('accepts every string', () => {
    fc.assert(fc.property(fc.string(), (text) => void new Query(text).all('a')));
  });
});
