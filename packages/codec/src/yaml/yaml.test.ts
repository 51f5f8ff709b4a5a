import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DecodeError } from '../serializers/decode-error.ts';
import { encodeUtf8 } from '../serializers/utf8.ts';
import { decodeYaml, decodeYamlSteps } from './yaml-decode.ts';
import { encodeYamlSteps, encodeYamlText } from './yaml-encode.ts';

const read = (text: string) => decodeYaml(encodeUtf8(text)).value;
const faultOf = (text: string) => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  throw new Error('decoded');
};

describe('decodeYaml', () => {
  it.each([
    ['a: yes', { a: true }],
    ['n: 010', { false: 8 }],
    ['a: [0o10, 1_000, 1:30, 1.0, 1e3, 0x1F, 0b11]', { a: [8, 1000, '1:30', 1, 1000, 31, 3] }],
    ['a: 2001-01-01', { a: '2001-01-01' }],
    ['1.5: a\n1: b\ntrue: c', { 1: 'b', '1.5': 'a', true: 'c' }],
    ['a: &x {b: 1}\nc:\n  <<: *x\n  d: 2', { a: { b: 1 }, c: { b: 1, d: 2 } }],
    ['a: !!binary aGk=\nb: !!str 1\nc: !other 1', { a: 'hi', b: '1', c: '1' }],
    ['a: >\n  x\n  y\n\n  z\nb: |-\n  k\n', { a: 'x y\nz\n', b: 'k' }],
    ['a: "\\x41\\u00e9\\U0001F600\\n"', { a: 'Aé😀\n' }],
    ['--- {a: 1}\n--- {b: 2}', { a: 1 }],
    ['', null],
  ])('decodes %j', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it('decodes integers of 64 bits exactly', () => {
    expect(read('[9007199254740993, 18446744073709551615]')).toEqual([9007199254740993n, 2 ** 64]);
    const { value } = decodeYaml(encodeUtf8('18446744073709551615'), { exactNumbers: true });
    expect(value).toBe(18446744073709551615n);
  });

  it.each([
    ['a: 1\n b: 2\n', 'yaml: line 2: mapping values are not allowed in this context'],
    ['a: [b\n', "yaml: line 1: did not find expected ',' or ']'"],
    ['a:\n  - b\n  -c\n', "yaml: line 4: could not find expected ':'"],
    ['a: 1\n\tb: 2\n', 'yaml: line 2: found a tab character that violates indentation'],
    ['a: *b\n', "yaml: unknown anchor 'b' referenced"],
    ['a: &b [*b]\n', "yaml: anchor 'b' value contains itself"],
    ['a: .inf\n', 'json: unsupported value: +Inf'],
    ['a: "\\q"\n', 'yaml: found unknown escape character'],
    ['%YAML 1.2\n---\na', 'yaml: found incompatible YAML document'],
    ['a: !x!y z', 'yaml: found undefined tag handle'],
    ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
  ])('rejects %j', (text, message) => {
    expect(faultOf(text)).toBe(message);
  });

  it('rejects bytes that are not UTF-8', () => {
    expect(() => decodeYaml(Uint8Array.of(0x61, 0xff))).toThrow('yaml: invalid leading UTF-8 octet');
    expect(() => decodeYaml(Uint8Array.of(0x61, 0x07))).toThrow('yaml: control characters are not allowed');
  });

  it('lists repeated keys, including merged ones', () => {
    expect(decodeYaml(encodeUtf8('a: &x {k: 1}\nb:\n  k: 2\n  <<: *x\n')).duplicates).toEqual([
      'line 1: key "k" already set in map',
    ]);
  });

  it('rejects aliases that expand too much, and recursive ones', () => {
    const levels = Array.from({ length: 8 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`);
    expect(faultOf(['a0: &a0 [x, x]', ...levels].join('\n'))).toBe(
      'yaml: document contains excessive aliasing',
    );
    expect(faultOf('['.repeat(20_000))).toContain('exceeded max depth');
    const chain = Array.from(
      { length: 5 },
      (_, i) => `b${i + 1}: &b${i + 1} ${'['.repeat(300)}*b${i}${']'.repeat(300)}`,
    );
    expect(faultOf(['b0: &b0 x', ...chain].join('\n'))).toContain('exceeded max depth');
  });

  it('reads no further than the last alias that is allowed', () => {
    const steps = decodeYamlSteps(encodeUtf8(`a: &a {b: c}\nd:\n  <<: [${'*a,'.repeat(70_000)}]`));
    let pauses = 0;
    const readAll = (): void => {
      for (; !steps.next().done; pauses++);
    };
    expect(readAll).toThrow('it has more than 10000 values of aliases');
    // there is one for 512 aliases
    expect(pauses).toBeLessThan(20);
  });

  it('throws nothing but DecodeError', () => {
    const piece = fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      '&x ',
      '*x',
      '!t ',
      '|',
      '>',
      '"',
      "'",
      '\t',
      '#',
      '?',
      '%',
      '---',
      '<<: ',
      '1',
      ',',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
        try {
          read(pieces.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('encodeYamlText', () => {
  it.each([
    [{ b: ['x', { c: [[1], {}] }], a: 'yes' }, 'a: "yes"\nb:\n- x\n- c:\n  - - 1\n  - {}\n'],
    [{ a10: 1, a9: 2, A: 3, 1: 4 }, '"1": 4\nA: 3\na9: 2\na10: 1\n'],
    [
      { a: 'x\ny\n', b: 'x\ny', c: ' x', d: 'a: b', e: 'x\ty' },
      "a: |\n  x\n  y\nb: |-\n  x\n  y\nc: ' x'\nd: 'a: b'\ne: \"x\\ty\"\n",
    ],
    [{ 'a\nb': 1 }, '? |-\n  a\n  b\n: 1\n'],
    [[1e20, 1.5e-7, 12345678.5, 1e6], '- 1e+20\n- 1.5e-07\n- 1.23456785e+07\n- 1000000\n'],
    ['x', 'x\n'],
  ])('prints %j', (value, text) => {
    expect(encodeYamlText(value)).toBe(text);
  });

  it('folds long lines at spaces', () => {
    const words = 'word '.repeat(30).trim();
    const lines = encodeYamlText({ a: words }).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(read(lines.join('\n'))).toEqual({ a: words });
  });

  it('round-trips', () => {
    const text = fc.string({ unit: 'grapheme' });
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.constantFrom(null, true, false, 1.5, 1e21, 1e-7),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, (value) => {
        expect(read(encodeYamlText(value))).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it('is decoded by another implementation', () => {
    // the library parses a lone decimal point or exponent, with or without a sign, as a number
    const isMisread = (text: string): boolean => /^[-+]?(?:\._*(?:e[-+]?\d+)?|e[-+]?\d+)$/i.test(text);
    const word = fc.stringMatching(/^[ -~é\n]{0,12}$/).filter((text) => !isMisread(text));
    const value = fc.dictionary(word, fc.oneof(word, fc.integer(), fc.boolean(), fc.array(word)), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(value, (object) => {
        expect(parse(encodeYamlText(object), { version: '1.1', merge: false })).toEqual(object);
      }),
    );
  });
});

describe('encodeYamlSteps', () => {
  it('encodes the same, with pauses', () => {
    const rows = Array.from({ length: 3000 }, (_, i) => ({ name: `row ${i}`, list: [i, `${i}`, null] }));
    const names = Object.fromEntries(rows.map(({ name }) => [name, '']));
    const steps = encodeYamlSteps({ rows, names });
    for (let pauses = 0; ; pauses++) {
      const { done, value } = steps.next();
      if (!done) continue;
      expect(new TextDecoder().decode(value)).toBe(encodeYamlText({ rows, names }));
      expect(pauses).toBeGreaterThan(8);
      return;
    }
  });
});
