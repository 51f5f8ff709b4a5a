import { expect, it } from 'vitest';
import { parse } from './parser.ts';

const START = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const expression = `expecting {'[', '{', '(', '.', '-', '!', ${START}`;
const element = `expecting {'[', ']', '{', '(', '.', ',', '-', '!', '?', ${START}`;
const entry = `expecting {'[', '{', '}', '(', '.', ',', '-', '!', '?', ${START}`;
const index = `expecting {'[', '{', '(', '.', '-', '!', '?', ${START}`;
const argument = `expecting {'[', '{', '(', ')', '.', '-', '!', ${START}`;

const errorsOf = (text: string): readonly string[] => {
  const parsed = parse(text);
  return parsed.ok
    ? []
    : parsed.issues.map(({ message, position }) => `${position} ${message.replace('Syntax error: ', '')}`);
};

// as release 1.32 answers
it.each<[string, readonly string[]]>([
  ['*', [`0 mismatched input '*' ${expression}`, `1 mismatched input '<EOF>' ${expression}`]],
  [
    '* *',
    [
      `0 mismatched input '*' ${expression}`,
      `2 mismatched input '*' ${expression}`,
      `3 mismatched input '<EOF>' ${expression}`,
    ],
  ],
  ['* a', [`0 extraneous input '*' ${expression}`]],
  ['?', [`0 mismatched input '?' ${expression}`, `1 mismatched input '<EOF>' ${expression}`]],
  ['a && || ', [`5 mismatched input '||' ${expression}`, `8 mismatched input '<EOF>' ${expression}`]],
  ['* )', [`0 mismatched input '*' ${expression}`, `2 mismatched input ')' ${expression}`]],
  ['.', ["1 no viable alternative at input '.'"]],
  ['../a', ["1 no viable alternative at input '..'"]],
  ['a.*', ["2 no viable alternative at input '.*'", `3 mismatched input '<EOF>' ${expression}`]],
  ['a.*b', ["2 no viable alternative at input '.*'"]],
  ['a.?', ["3 missing IDENTIFIER at '<EOF>'"]],
  ['[', [`1 mismatched input '<EOF>' ${element}`]],
  ['[* 1]', [`1 extraneous input '*' ${element}`]],
  ['[1,', ["3 missing ']' at '<EOF>'"]],
  ['[1,*]', ["3 extraneous input '*' expecting ']'"]],
  ['{1:2,', ["5 missing '}' at '<EOF>'"]],
  ['{ ==', [`2 mismatched input '==' ${entry}`, `4 mismatched input '<EOF>' ${expression}`]],
  ['!', [`1 extraneous input '<EOF>' ${expression}`]],
  [
    '! * *',
    [
      `2 extraneous input '*' ${expression}`,
      `4 mismatched input '*' ${expression}`,
      `5 mismatched input '<EOF>' ${expression}`,
    ],
  ],
  ['-', ["1 no viable alternative at input '-'", `1 mismatched input '<EOF>' ${expression}`]],
  ['- * 1', ["2 no viable alternative at input '- *'", `2 extraneous input '*' ${expression}`]],
  ['- ! a', ["2 no viable alternative at input '- !'"]],
  ['a[', [`2 mismatched input '<EOF>' ${index}`]],
  ['a[)', [`2 mismatched input ')' ${index}`]],
  ['f(', [`2 mismatched input '<EOF>' ${argument}`]],
  ['f(*', [`2 mismatched input '*' ${argument}`, `3 mismatched input '<EOF>' ${expression}`]],
])('%s is no expression', (text, expected) => {
  expect(errorsOf(text)).toEqual(expected);
});

it('an expression of operators alone has few errors', () => {
  expect(errorsOf('*'.repeat(10_000)).length).toBeLessThan(40);
  expect(errorsOf('-!'.repeat(10_000)).length).toBeLessThan(70);
  expect(errorsOf('a.*'.repeat(10_000)).length).toBeLessThan(40);
});
