import { runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { type TopologySelectorTerm, topologiesErrorsSteps } from './topology-selectors.ts';

const errorsOf = (terms: readonly TopologySelectorTerm[]): readonly string[] =>
  runAtOnce(topologiesErrorsSteps(terms, 'terms')).map(({ field, message }) => `${field}: ${message}`);
const termOf = (...requirements: readonly [string, readonly string[]][]): TopologySelectorTerm => ({
  matchLabelExpressions: requirements.map(([key, values]) => ({ key, values })),
});
const DUPLICATE_TERM = 'terms[1].matchLabelExpressions: Duplicate value: ""';

describe('the terms of a topology', () => {
  it.each([
    ['other values', termOf(['a', ['x']]), termOf(['a', ['y']]), []],
    ['other keys', termOf(['a', ['x']]), termOf(['b', ['x']]), []],
    [
      'the same values in another order',
      termOf(['a', ['x', 'y']]),
      termOf(['a', ['y', 'x']]),
      [DUPLICATE_TERM],
    ],
    [
      'the same keys in another order',
      termOf(['a', ['x']], ['b', ['y']]),
      termOf(['b', ['y']], ['a', ['x']]),
      [DUPLICATE_TERM],
    ],
  ])('are compared with each other: %s', (_what, first, second, errors) => {
    expect(errorsOf([first, second])).toEqual(errors);
  });

  it('have keys and values once', () => {
    expect(errorsOf([termOf(['a', ['x', 'x']], ['a', ['y']], ['b', []])])).toEqual([
      'terms[0].matchLabelExpressions[0].values[1]: Duplicate value: "x"',
      'terms[0].matchLabelExpressions[1].key: Duplicate value: "a"',
      'terms[0].matchLabelExpressions[2].values: Required value',
    ]);
  });

  it.each([
    ['terms', Array.from({ length: 10_000 }, (_, i) => termOf(['a', [`v${i}`]]))],
    [
      'requirements',
      [termOf(...Array.from({ length: 10_000 }, (_, i) => [`k${i}`, ['v']] as [string, string[]]))],
    ],
    ['values', [termOf(['a', Array.from({ length: 10_000 }, (_, i) => `v${(i * 7919) % 10_000}`)])]],
  ])('are checked with pauses between %s', (_what, terms) => {
    expect([...topologiesErrorsSteps(terms, 'terms')].length).toBeGreaterThan(8);
  });
});
