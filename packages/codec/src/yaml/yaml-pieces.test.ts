import { runAtOnce } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeYaml } from './yaml-composer.ts';
import { YamlFault, type YamlReading } from './yaml-cursor.ts';

const LIMITS = { values: 1000, members: 100 };

/** What a text is composed of, or its fault. */
function outcome(text: string, reading: Omit<YamlReading, 'maximumLines'>): unknown {
  try {
    return runAtOnce(composeYaml(text, LIMITS, reading)) ?? 'nothing';
  } catch (error) {
    if (!(error instanceof YamlFault) && !(error as Error).message.startsWith('the document is too large'))
      throw error;
    return { fault: error instanceof YamlFault ? error.text : (error as Error).message };
  }
}

const splinter = fc.constantFrom(
  ...[
    ' ',
    '  ',
    '\t',
    '\n',
    '\r\n',
    '\u2028',
    ': ',
    ':',
    ', ',
    ',',
    '- ',
    '-',
    '? ',
    '# x',
    '#',
    '[',
    ']',
    '{',
    '}',
  ],
  ...[
    "'",
    "''",
    '"',
    '\\',
    '\\n',
    '\\n\\t',
    '\\x41',
    '\\\n ',
    '|',
    '>',
    '|+\n',
    '>-\n  ',
    '|2\n',
    '---',
    '\n---\n',
    '...',
  ],
  ...[
    '&a',
    '*a',
    '!',
    '!!str ',
    '!<a%41',
    '>',
    '%41',
    '%C3%A4',
    '!e!f',
    '%YAML 1.1\n',
    '%TAG !e! a:\n',
    '\ufeff',
  ],
  ...[
    'a',
    'bc',
    '1',
    '𝄞',
    'ä',
    '𝄞𝄞',
    'a b',
    'a: b\n',
    '- c\n',
    'key: |\n  text\n',
    '\n  ',
    '\n\n',
    'a'.repeat(20),
  ],
);
const yamlText = fc.array(splinter, { maxLength: 30 }).map((parts) => parts.join(''));

describe('YAML in pieces', () => {
  it('is read as in one piece, down to its fault', () => {
    fc.assert(
      fc.property(yamlText, fc.integer({ min: 1, max: 7 }), (text, pieceLength) => {
        expect(outcome(text, { pieceLength })).toEqual(outcome(text, {}));
      }),
      { numRuns: 3000 },
    );
  });

  it.each(['{}:', '[]: x', '{} : a\nb: c', '[{}: b, c]', '{a: []: b}', '- []: b\n- c'])(
    'is read as in one piece where an empty collection would be a key: %j',
    (text) => {
      for (const pieceLength of [1, 2, 3, 4, 7, 100])
        expect(outcome(text, { pieceLength })).toEqual(outcome(text, {}));
    },
  );

  it('counts columns without a look at characters that are one unit each', () => {
    fc.assert(
      fc.property(yamlText, fc.integer({ min: 1, max: 7 }), (text, pieceLength) => {
        const narrow = text.replace(/\p{Surrogate}|[\u{10000}-\u{10ffff}]/gu, '');
        expect(outcome(narrow, { pieceLength, isNarrow: true })).toEqual(outcome(narrow, {}));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['a plain text', `a: ${'1'.repeat(1000)}`],
    ['words', `a: ${'b '.repeat(500)}`],
    ['spaces', `a: b${' '.repeat(1000)}c`],
    ['spaces before a fault', `${' '.repeat(1000)}]`],
    ['a comment', `#${'a'.repeat(1000)}`],
    ['quotes', `a: '${"''".repeat(500)}'`],
    ['letters and quotes', `a: '${"a''".repeat(300)}'`],
    ['escapes', `a: "${'\\x41'.repeat(300)}"`],
    ['a literal', `a: |\n  ${'b'.repeat(1000)}`],
    ['indentation', `a: |\n${' '.repeat(1000)}b`],
    ['a tag', `!<${'a'.repeat(1000)}> b`],
    ['escapes of a tag', `!<${'%41'.repeat(300)}> b`],
    ['a directive', `%TAG !a! ${'a'.repeat(1000)}\n--- b`],
  ])('pauses inside of %s', (_, text) => {
    const steps = composeYaml(text, LIMITS, { pieceLength: 50 });
    let pauses = 0;
    try {
      for (; !steps.next().done; pauses++);
    } catch (error) {
      expect(error).toBeInstanceOf(YamlFault);
    }
    expect(pauses).toBeGreaterThan(10);
  });
});
