import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';
import { type ResultChecks, withCheckedResults } from './checked-results.fixture.ts';

interface Finding {
  line: number;
  actual: unknown;
  expected: unknown;
}

/** Runs a module with its results checked; returns the comparisons. */
async function findings(text: string): Promise<Finding[]> {
  const found: Finding[] = [];
  const checks: ResultChecks = {
    value: (line, actual, expected) => void found.push({ line, actual, expected }),
    printed: (line, values, expected) => void found.push({ line, actual: values.join(' '), expected }),
    throws: async (line, call, expected) => {
      const actual = await call().catch((error: Error) => error.message);
      found.push({ line, actual, expected });
    },
  };
  const checked = withCheckedResults(text, 'checks', (source) => parseAst(source, { lang: 'ts' }));
  expect(checked.split('\n')).toHaveLength(text.split('\n').length);
  await new Function('checks', `return (async () => { ${checked}\n })()`)(checks);
  return found;
}

describe('withCheckedResults', () => {
  test('compares expressions with values', async () => {
    expect(await findings('1 + 1; // => 3\n({ a: 1 }).a // => [{ b: 2 }]')).toEqual([
      { line: 1, actual: 2, expected: 3 },
      { line: 2, actual: 1, expected: [{ b: 2 }] },
    ]);
  });

  test('compares statements of several lines, also nested ones', async () => {
    expect(await findings('if (true) {\n  Math.max(\n    1,\n    2,\n  ); // => 2\n}')).toEqual([
      { line: 5, actual: 2, expected: 2 },
    ]);
  });

  test('compares declarations, and continues', async () => {
    expect(await findings("const name = 'a'; // => 'a'\nname + 'b'; // => 'ab'")).toEqual([
      { line: 1, actual: 'a', expected: 'a' },
      { line: 2, actual: 'ab', expected: 'ab' },
    ]);
  });

  test('compares output with text', async () => {
    expect(await findings("console.log('a', 1); // => a 1")).toEqual([
      { line: 1, actual: 'a 1', expected: 'a 1' },
    ]);
  });

  test('compares exceptions with a message', async () => {
    expect(await findings('null.a; // throws nothing\n1; // throws x')).toEqual([
      { line: 1, actual: "Cannot read properties of null (reading 'a')", expected: 'nothing' },
      { line: 2, actual: 1, expected: 'x' },
    ]);
  });

  test('ignores other comments', async () => {
    expect(await findings('// => 1 is only a remark here?\n'.replace('=>', '->'))).toEqual([]);
  });

  test.each([
    ['\n// => 1', 'line 2: the result belongs to no statement that ends on its line'],
    ['1; 2\n; if (1) {} // => 1', 'line 2: the result belongs to no statement that ends on its line'],
    ['1; // => of course', 'line 1: the result of course is no expression'],
    ['const { a } = { a: 1 }; // => 1', 'line 1: a result is stated of one name'],
  ])('rejects %j', async (text, message) => {
    await expect(findings(text)).rejects.toThrow(message);
  });
});
