import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it, vi } from 'vitest';
import { allowSteps } from '../cost/work.ts';
import { toHostPattern } from '../values/host-pattern.ts';
import { EvaluationError } from '../values/values.ts';
import { PatternAutomaton } from './pattern-automaton.ts';
import { readPattern } from './pattern-syntax.ts';
import { lengthOf, PositionGraph } from './position-graph.ts';
import { compilePattern } from './regex.ts';

// Properties take long on busy machines.
vi.setConfig({ testTimeout: 60_000 });

/** Patterns of all supported shapes, and some unsupported ones. */
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...'a b c 0 é [ab] [^a] . \\d \\. \\W [a-c-] []a] [^\\n] \\pL'.split(' ')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => `(${parts.join('|')})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom(...'* + ? {2} {1,3} {0,2} *? {2,}'.split(' ')))
      .map(([inner, sign]) => `(?:${inner})${sign}`),
  ),
}));
const texts = fc.array(fc.string({ unit: fc.constantFrom(...'abc0-.é😀\n]'), maxLength: 12 }), {
  minLength: 5,
});
const anchored = fc
  .tuple(fc.constantFrom('', '^'), pattern, fc.constantFrom('', '$'))
  .map((parts) => parts.join(''));

const isFound = (source: string, text: string): boolean => RE2JS.compile(source).matcher(text).find();

/** As the reference finds all: no empty match where the previous one ended. */
function foundBy(source: string, text: string): string[] {
  const matcher = RE2JS.compile(source).matcher(text);
  const found: string[] = [];
  let lastEnd = -1;
  while (matcher.find()) {
    if (matcher.start() !== matcher.end() || matcher.start() !== lastEnd)
      found.push(matcher.group() as string);
    lastEnd = matcher.end();
  }
  return found;
}

describe('compilePattern', () => {
  it('finds what RE2 finds, by every engine', () => {
    fc.assert(
      fc.property(anchored, texts, (source, all) => {
        const compiled = compilePattern(source);
        if (compiled instanceof EvaluationError) return;
        for (const text of all) expect(compiled.test(text)).toBe(isFound(source, text));
      }),
      { numRuns: 500 },
    );
  });

  it('takes time linear in the text where backtracking would not end', () => {
    for (const source of ['^(a+)+$', '^(a|a)*$', '(a*)*b', '^(a?){30}a{30}$', '(x+x+)+y']) {
      const compiled = compilePattern(source);
      if (compiled instanceof EvaluationError) throw compiled;
      const text = `${(source.includes('x') ? 'x' : 'a').repeat(2000)}!`;
      expect(compiled.test(text)).toBe(false);
    }
  });

  it('finds all matches in time linear in the text where every single search reads to its end', () => {
    const compiled = compilePattern('(a*x|a)');
    if (compiled instanceof EvaluationError) throw compiled;
    expect(compiled.find('a'.repeat(200_000), -1)).toHaveLength(200_000);
    expect(compiled.find(`${'a'.repeat(200_000)}xaa`, -1).map(({ length }) => length)).toEqual([
      200_001, 1, 1,
    ]);
  });

  it('finds the matches that RE2 finds one after the other', () => {
    const rich = fc.tuple(pattern, fc.constantFrom('', '\\b', '(?i)', '(?m)^', '\\B', '$', '(?s).'), pattern);
    fc.assert(
      fc.property(
        fc.oneof(
          anchored,
          rich.map((parts) => parts.join('')),
        ),
        texts,
        (source, all) => {
          const compiled = compilePattern(source);
          if (compiled instanceof EvaluationError) return;
          for (const text of all)
            expect([source, text, compiled.find(text, -1)]).toEqual([source, text, foundBy(source, text)]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('rejects a pattern of more than 5,000 characters, with repetitions', () => {
    expect(compilePattern('a'.repeat(5_000))).not.toBeInstanceOf(EvaluationError);
    for (const pattern of ['('.repeat(20_001), 'a{1000}'.repeat(6)])
      expect((compilePattern(pattern) as EvaluationError).message).toBe(
        'error parsing regexp: expression too large',
      );
  });

  it('rejects a pattern of many large classes', () => {
    for (const pattern of ['\\p{L}'.repeat(40), `(?i)${'[\u0100-\u{1e940}]'.repeat(2)}`])
      expect((compilePattern(pattern) as EvaluationError).message).toBe(
        'error parsing regexp: expression too large',
      );
    expect(compilePattern('(?i)^[\\p{L}\u4e00-\u9fff]+$')).not.toBeInstanceOf(EvaluationError);
  });

  it('counts the groups around each group, and rejects too many', () => {
    const nested = (depth: number): string => `${'(?:a?'.repeat(depth)}${')'.repeat(depth)}`;
    const stepsOf = (depth: number): number => {
      const before = allowSteps(1e9);
      const compiled = compilePattern(nested(depth));
      const left = allowSteps(before);
      if (compiled instanceof EvaluationError) throw compiled;
      return 1e9 - left;
    };
    expect(stepsOf(250)).toBeGreaterThan(250 * 250 * 60);
    expect(stepsOf(10)).toBeLessThan(1_000_000);
    const before = allowSteps(2_000_000);
    expect(() => compilePattern(nested(240))).toThrow('cost limit');
    allowSteps(before);
    expect(compilePattern(nested(1000))).toMatchObject({
      message: 'error parsing regexp: expression too large',
    });
  });

  it('stops if a pattern has too many states', () => {
    const compiled = compilePattern('\\pL{200}a');
    if (compiled instanceof EvaluationError) throw compiled;
    let state = 1;
    const text = Array.from({ length: 100_000 }, () => {
      state = (state * 48_271) % 0x7fffffff;
      return 'ab'[state & 1];
    }).join('');
    const before = allowSteps(10_000_000);
    expect(() => compiled.find(text, -1)).toThrow('cost limit');
    allowSteps(before);
  });

  it('rejects what RE2 rejects, with its messages', () => {
    expect(compilePattern('a(b')).toMatchObject({
      message: 'error parsing regexp: missing closing ): `a(b`',
    });
    expect(compilePattern('(?=a)')).toBeInstanceOf(EvaluationError);
    expect(compilePattern('(a)\\1')).toBeInstanceOf(EvaluationError);
  });

  it('finds matches up to a limit', () => {
    const compiled = compilePattern('[0-9]+');
    if (compiled instanceof EvaluationError) throw compiled;
    expect(compiled.find('1 22 333', -1)).toEqual(['1', '22', '333']);
    expect(compiled.find('1 22 333', 2)).toEqual(['1', '22']);
  });
});

describe('a pattern for the engine of the host', () => {
  it.each([
    ['^[a-z0-9.-]+/[a-z0-9/-]+:[0-9]+(\\.[0-9]+)*$', true],
    ['^(a|b)+c$', true],
    ['^v[0-9]+((alpha|beta)[0-9]+)?$', true],
    ['^(a|ab)$', false],
    ['^(a+)+$', false],
    ['^(a*)*$', false],
    ['^(a{1,2}){1,2}$', false],
    ['^a*a$', false],
  ])('%s is unambiguous: %s', (source, expected) => {
    const syntax = readPattern(source);
    expect(syntax && new PositionGraph(syntax.root).isUnambiguous).toBe(expected);
  });

  it('matches there as in RE2 and the automaton', () => {
    fc.assert(
      fc.property(pattern, texts, (source, all) => {
        const syntax = readPattern(`^${source}$`);
        if (!syntax) return;
        const graph = new PositionGraph(syntax.root);
        if (!graph.isUnambiguous) return;
        const automaton = new PatternAutomaton(graph, syntax, lengthOf(syntax.root));
        for (const text of all) {
          expect(toHostPattern(syntax).test(text)).toBe(isFound(`^${source}$`, text));
          expect(automaton.test(text)).toBe(isFound(`^${source}$`, text));
        }
      }),
      { numRuns: 500 },
    );
  });
});
