import { expect, it } from 'vitest';
import { checkOptionNames, optionError } from './check-options.ts';

it('names an option that does not exist, and the one that was meant', () => {
  const check = (options: unknown) => () => checkOptionNames('defineResource', options, ['columns', 'scope']);
  expect(check({ columns: [] })).not.toThrow();
  expect(check({ colums: [] })).toThrow('defineResource has no option "colums": did you mean "columns"?');
  expect(check({ weight: 1 })).toThrow(
    'defineResource has no option "weight": its options are columns, scope',
  );
  expect(check('x')).toThrow('defineResource takes an object with options, not "x"');
  expect(check(undefined)).toThrow('not undefined');
});

it.each<[unknown, string]>([
  [Promise.resolve(), 'a promise: await it first'],
  ['orch', '"orch"'],
  [() => 1, 'a function'],
  [[1], 'an array'],
  [{ a: 1, b: 2 }, 'an object with the members a, b'],
  [{}, 'an object with no members'],
  [null, 'null'],
])('says what was given for an option', (given, text) => {
  expect(optionError('createApiServer', 'storage', 'a store', given).message).toBe(
    `option "storage" of createApiServer must be a store, not ${text}`,
  );
});
