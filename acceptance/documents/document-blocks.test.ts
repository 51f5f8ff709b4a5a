import { describe, expect, test } from 'vitest';
import { documentBlocks, documentModules, transcriptSteps } from './document-blocks.fixture.ts';

const fenced = (...parts: string[]): string => parts.join('\n').replaceAll('~', '```');

describe('documentBlocks', () => {
  test('finds blocks with their language, mark and line', () => {
    expect(
      documentBlocks(fenced('# A', '~ts no-run because', 'a;', 'b;', '~', 'text', '~', 'plain', '~')),
    ).toEqual([{ language: 'ts', mark: 'no-run because', line: 3, text: 'a;\nb;' }]);
  });

  test('rejects an unclosed block', () => {
    expect(() => documentBlocks(fenced('a', '~ts', 'a;'))).toThrow('the block of line 3 is not closed');
  });
});

describe('documentModules', () => {
  const modules = (...lines: string[]) => documentModules(documentBlocks(fenced(...lines)));

  test('preserves the lines of the document', () => {
    const [module] = modules('text', '~ts', 'a;', '~', 'text', '~ts continued', 'b;', '~');
    expect(module?.text.split('\n')).toEqual(['', '', 'a;', '', '', '', 'b;']);
  });

  test('names modules, and marks those that do not run', () => {
    expect(modules('~ts file=a.ts', '~', '~sh', '~', '~ts no-run it needs a cluster', '~')).toMatchObject([
      { file: 'a.ts', notRun: undefined },
      { file: 'line-6.ts', notRun: 'it needs a cluster' },
    ]);
  });

  test.each([
    [['~ts no-run', '~'], 'a block of ts is marked continued, file=NAME.ts or no-run REASON, not no-run'],
    [['~ts file=../a.sh', '~'], 'line 2'],
    [['~ts continued', '~'], 'line 2: nothing stands before the block'],
  ])('rejects %j', (lines, message) => {
    expect(() => modules(...lines)).toThrow(message);
  });
});

test('transcripts are commands and their output', () => {
  const block = { language: 'console', mark: '', line: 10, text: '$ a |\n>   b\none\ntwo\n$ c' };
  expect(transcriptSteps(block)).toEqual([
    { line: 10, command: 'a |\n  b', output: 'one\ntwo' },
    { line: 14, command: 'c', output: '' },
  ]);
});
