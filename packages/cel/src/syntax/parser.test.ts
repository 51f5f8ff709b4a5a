import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { bindings, environment, expressionText, sensibleText } from '../environment/expressions.fixture.ts';
import { toJson } from '../values/to-json.ts';
import { parse } from './parser.ts';
import { issuesText } from './source.ts';
import { unparse } from './unparse.ts';

// Properties take long on busy machines.
vi.setConfig({ testTimeout: 60_000 });

const errorOf = (text: string): string => {
  const parsed = parse(text);
  return parsed.ok ? '' : issuesText(text, parsed.issues);
};

const written = (text: string): string => {
  const parsed = environment.parse(text);
  return parsed.ok ? unparse(parsed.expression) : issuesText(text, parsed.issues);
};

describe('parse', () => {
  it.each([
    [
      '1 +',
      "ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true'",
    ],
    [
      'a.B{',
      "ERROR: <input>:1:5: Syntax error: mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER}",
    ],
    ['a\n  && while', 'ERROR: <input>:2:6: reserved identifier: while\n |   && while\n | .....^'],
    ['99999999999999999999', 'ERROR: <input>:1:1: invalid int literal\n | 99999999999999999999\n | ^'],
    [
      '[].all(1, true)',
      'ERROR: <input>:1:8: argument must be a simple name\n | [].all(1, true)\n | .......^',
    ],
    ['has(a)', 'ERROR: <input>:1:5: invalid argument to has() macro\n | has(a)\n | ....^'],
    ['a $ b', "ERROR: <input>:1:3: Syntax error: token recognition error at: '$'\n | a $ b\n | ..^"],
  ])('reports the error of %j with its position', (text, expected) => {
    expect(errorOf(text)).toContain(expected);
  });

  it('marks wide characters wide before the caret', () => {
    expect(errorOf("'é' + while")).toBe(
      "ERROR: <input>:1:7: reserved identifier: while\n | 'é' + while\n | .．....^",
    );
  });

  it('rejects texts that are too long or too deep early', () => {
    expect(errorOf('x'.repeat(100_001))).toContain(
      'expression code point size exceeds limit: size: 100001, limit 100000',
    );
    expect(errorOf(`${'('.repeat(5000)}1${')'.repeat(5000)}`)).toContain('recursion limit exceeded');
    expect(errorOf(`${'['.repeat(5000)}`)).toContain('recursion limit exceeded');
    expect(errorOf('a[b ? '.repeat(5000))).toContain('recursion limit exceeded');
    expect(errorOf('a ? b : '.repeat(5000))).toContain('recursion limit exceeded');
    expect(errorOf(`a${'.b'.repeat(5000)}`)).toContain('max recursion depth exceeded');
    expect(errorOf(`1${'+1'.repeat(5000)}`)).toContain('max recursion depth exceeded');
  });

  it('stops where thousands of tokens are unexpected', () => {
    const error = errorOf('?-'.repeat(5000));
    expect(error).toContain("ERROR: <input>:1:1: Syntax error: extraneous input '?'");
    expect(error).toContain("ERROR: <input>:1:61: Syntax error: extraneous input '?'");
    expect(error).not.toContain('1:63');
  });

  it('keeps long chains of one logic operator shallow', () => {
    expect(parse(Array.from({ length: 5000 }, (_, i) => `a${i}`).join(' && ')).ok).toBe(true);
  });

  it('returns a tree or issues within the text for any text', () => {
    const pieces = fc.array(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), expressionText), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        const parsed = environment.parse(text);
        if (parsed.ok) return;
        expect(parsed.issues.length).toBeGreaterThan(0);
        for (const { position, message } of parsed.issues) {
          expect(position).toBeLessThanOrEqual(text.length);
          expect(message).not.toBe('');
        }
      }),
    );
  });

  it('parses an expression cut off anywhere', () => {
    fc.assert(
      fc.property(expressionText, fc.nat(), (text, at) => {
        const cut = text.slice(0, at % (text.length + 1));
        expect(typeof environment.compile(cut).ok).toBe('boolean');
      }),
    );
  });
});

describe('unparse', () => {
  it.each([
    ['a.all( x,(x > 1) )', 'a.all(x, x > 1)'],
    ['((a+b))*c-(d-(e-f))', '(a + b) * c - (d - (e - f))'],
    ['a?b:(c?d:e)', 'a ? b : c ? d : e'],
    ['(a?b:c)?d:e', '(a ? b : c) ? d : e'],
    ['has( a.b ) && !(x||y)', 'has(a.b) && !(x || y)'],
    ['-(1) - -1', '-(1) - -1'],
    ['-(-a)', '-(-a)'],
    ['-(1.size())', '-(1.size())'],
    ["a . b [ 'c' ] .? d [ ?0 ]", 'a.b["c"].?d[?0]'],
    ['{1:[2u,?x],?"a":1.0}', '{1: [2u, ?x], ?"a": 1.0}'],
    ['cel.bind(x,1,x+x)', 'cel.bind(x, 1, x + x)'],
    ['optional.of(1).optMap(y, y*2)', 'optional.of(1).optMap(y, y * 2)'],
    ["'it\\'s\\n\\u0007' + r'\\d'", '"it\'s\\n\\u0007" + "\\\\d"'],
    ["b'a\\xff\"'", 'b"a\\xff\\""'],
    ['.a.b(.c)', '.a.b(.c)'],
    ['Type{f:1,?g:x}', 'Type{f: 1, ?g: x}'],
    ['1e300 + 1.5e-7', '1e+300 + 1.5e-7'],
  ])('prints %s as %s', (text, expected) => {
    expect(written(text)).toBe(expected);
    expect(written(expected)).toBe(expected);
  });

  it('prints what parses to the same', () => {
    fc.assert(
      fc.property(expressionText, (text) => {
        const parsed = environment.parse(text);
        if (!parsed.ok) return;
        const first = unparse(parsed.expression);
        expect(written(first)).toBe(first);
      }),
    );
  });

  it('prints what evaluates to the same', () => {
    const run = (text: string): unknown => {
      const compiled = environment.compile(text);
      if (!compiled.ok) return compiled.issues.map(({ message }) => message);
      const result = compiled.program.evaluate(bindings);
      return result.ok ? toJson(result.value) : 'an error';
    };
    fc.assert(
      fc.property(sensibleText, (text) => {
        expect(run(written(text))).toEqual(run(text));
      }),
    );
  });
});
