import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileJsonPath } from './json-path.ts';
import { JsonPathBudget } from './json-path-budget.ts';
import { compileColumnCell } from './json-path-column.ts';
import { JsonPathError } from './json-path-error.ts';

const OBJECT = {
  kind: 'Shelf',
  spec: {
    size: 3,
    ratio: 0.00001,
    big: 9007199254740993n,
    none: null,
    'a.b': 'dotted',
    books: [
      { title: 'A', pages: 10, tags: ['x', 'y'] },
      { title: 'B', pages: 20, author: { name: '<B>' } },
      { title: 'C', pages: 30 },
    ],
  },
};

describe('a template', () => {
  it.each([
    ['plain text', 'plain text'],
    ['{.spec.size} of {$.kind}', '3 of Shelf'],
    ['{.spec.books[0].title}', 'A'],
    ['{.spec.books[-1].title}', 'C'],
    ['{.spec.books[0:2].title}', 'A B'],
    ['{.spec.books[::2].title}', 'A C'],
    ['{.spec.books[*].pages}', '10 20 30'],
    ['{.spec.books[0]["tags"]}', undefined],
    ["{.spec.books[0]['title','pages']}", 'A 10'],
    ['{.spec.books[?(@.pages>10)].title}', 'B C'],
    ['{.spec.books[?(@.pages<=20)].title}', 'A B'],
    ['{.spec.books[?(@.title!="A")].pages}', '20 30'],
    ['{.spec.books[?(@.author)].title}', 'B'],
    ['{.spec.books[1].author}', '{"name":"\\u003cB\\u003e"}'],
    ['{..name}', '<B>'],
    ['{.spec.a\\.b}', 'dotted'],
    ['{.spec.ratio}', '1e-05'],
    ['{.spec.big}', '9007199254740993'],
    ['{.spec.none}', 'null'],
    ['{.kind.*}', '83 104 101 108 102'],
    ['{range .spec.books[*]}{.title}:{range .tags[*]}{@},{end};{end}.', 'A:x,y,;B:;C:;.'],
    ['{range .spec.nothing[*]}{.title}{end}after', 'after'],
    ['{"\\u0041\\n"}', 'A\n'],
    ['{1.50}{true}{-2}', '1.5true-2'],
  ])('%s prints %j', (template, text) => {
    const print = (): string => compileJsonPath(template, { allowMissing: true }).print(OBJECT);
    if (text === undefined) expect(print).toThrow(JsonPathError);
    else expect(print()).toBe(text);
  });

  it.each([
    ['{.spec', 'unclosed action'],
    ['{.spec[0', 'unterminated array'],
    ['{.spec[x]}', 'invalid array index x'],
    ['{.spec[?(@.a}', 'unterminated filter'],
    ['{.spec[?(@.a)}', 'unclosed array expect ]'],
    ['{....a}', 'invalid multiple recursive descent'],
    ['{"a}', 'unterminated quoted string'],
    ['{"\\q"}', 'unquote string "\\q" error invalid syntax'],
    ['{&}', "unrecognized character in action: U+0026 '&'"],
    ['{1.2.3}', 'cannot parse number 1.2.3'],
  ])('%s is rejected: %s', (template, text) => {
    expect(() => compileJsonPath(template)).toThrow(new JsonPathError(text));
  });

  it.each([
    ['{.nope}', 'nope is not found'],
    ['{.kind[0]}', 'string is not array or slice'],
    ['{.spec.books[7]}', 'array index out of bounds: index 7, length 3'],
    ['{.spec.books[2:1]}', 'starting index 2 is greater than ending index 1'],
    ['{.spec.books[?(@.title>1)]}', 'incompatible types for comparison'],
    ['{.spec.books[?(@.title==B)]}', 'unrecognized identifier B'],
    ['{end}', 'not in range, nothing to end'],
  ])('%s cannot be followed: %s', (template, text) => {
    expect(() => compileJsonPath(template).find(OBJECT)).toThrow(new JsonPathError(text));
  });

  it('stops when recursive steps multiply', () => {
    let deep: object = {};
    for (let i = 0; i < 300; i++) deep = { a: deep, b: {} };
    expect(() => compileJsonPath('{..a..a..a}').find(deep as never)).toThrow(/values are looked at/);
  });

  it('is parsed or rejected with a reason, whatever it is', () => {
    const tokens = fc.constantFrom(...'{}[]().,:*?@$\'"\\ <>=!-19ab'.split(''), 'range ', 'end', '..', '[?(');
    fc.assert(
      fc.property(fc.array(tokens), fc.jsonValue(), (parts, value) => {
        try {
          compileJsonPath(parts.join(''), { allowMissing: true }).print(value as never);
        } catch (error) {
          if (!(error instanceof JsonPathError)) throw error;
        }
      }),
    );
  });
});

describe('the cell of a column', () => {
  const now = Date.UTC(2024, 0, 2);
  it.each([
    ['string', '.spec.size', '3'],
    ['integer', '.spec.size', 3],
    ['number', '.spec.ratio', 0.00001],
    ['integer', '.spec.ratio', 0],
    ['integer', '.huge', -9223372036854775808n],
    ['boolean', '.spec.size', null],
    ['string', '.spec.none', '<no value>'],
    ['string', '.spec.nope', null],
    ['string', '.spec.books[*].title', 'A'],
    ['date', '.kind', '<invalid>'],
    ['date', '.made', '24h'],
    ['date', '.unset', '<unknown>'],
  ])('of type %s at %s is %s', (type, path, cell) => {
    const object = { ...OBJECT, made: '2024-01-01T00:00:00Z', unset: '', huge: 1e21 };
    expect(compileColumnCell(type, path)(object, now)).toBe(cell);
  });

  it('is rejected if its path is invalid', () => {
    expect(() => compileColumnCell('string', '.spec[')).toThrow(
      new JsonPathError('unrecognized column definition ".spec["'),
    );
  });

  it('shares the budget of its row, beyond which it is null', () => {
    const items = Array.from({ length: 10_000 }, (_, i) => ({ a: i }));
    const cell = compileColumnCell('integer', '.items[*].a');
    const budget = new JsonPathBudget();
    const found = Array.from({ length: 20 }, () => cell({ items }, now, budget));
    // each looks at 20,001 values of 200,000
    expect(found.filter((value) => value === 0)).toHaveLength(9);
    expect(found.slice(9)).toEqual(Array.from({ length: 11 }, () => null));
    expect(cell({ items }, now)).toBe(0);
  });

  it('prints no more than its row may have', () => {
    const cell = compileColumnCell('string', '.items');
    const budget = new JsonPathBudget();
    const items = Array.from({ length: 10_000 }, () => 'abcdefgh');
    const texts = Array.from({ length: 20 }, () => cell({ items }, now, budget));
    expect(texts.filter((text) => typeof text === 'string')).toHaveLength(2);
    expect(cell({ items: items.slice(0, 10) }, now)).toBe(JSON.stringify(items.slice(0, 10)));
  });
});
