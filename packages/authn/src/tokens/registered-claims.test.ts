import type { JsonObject, JsonValue } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { requireClaimTypes, secondsOf } from './registered-claims.ts';

const problem = (claims: JsonObject): unknown => {
  try {
    return requireClaimTypes(claims);
  } catch (error) {
    return (error as Error).message;
  }
};

describe('requireClaimTypes', () => {
  it.each<[string, JsonValue[], JsonValue[]]>([
    ['sub', ['', 'anna', null], [1, true, [], {}]],
    ['aud', ['a', ['a', null], [], null], [1, true, {}, ['a', 1], [['a']]]],
    ['exp', [1, 1.5, -1, 10n ** 18n, '17'], [null, '', ' 5', 'x', 'NaN', true, [], {}, 1e20]],
    ['iat', [1, 1.5, -1, 10n ** 18n, '17'], [null, '', ' 5', 'x', 'NaN', true, [], {}, 1e20]],
    ['nbf', [1, 1.5, null, '17'], ['', 'x', false, [1], {}, -1e20]],
    ['nonce', ['', 'n', null], [0, false, ['n'], {}]],
    ['at_hash', ['', 'h', null], [0, false, ['h'], {}]],
    [
      '_claim_sources',
      [null, {}, { s: { endpoint: 'x', access_token: null } }, { s: null }],
      [1, '', [], { s: 1 }],
    ],
    ['_claim_names', [null, {}], [1, '', [], { groups: 1 }, { groups: ['s'] }]],
  ])('checks the type of %s', (claim, valid, invalid) => {
    for (const value of valid) expect(problem({ [claim]: value })).toBeUndefined();
    for (const value of invalid)
      expect(problem({ [claim]: value })).toBe(`the claim "${claim}" is of a wrong type`);
    expect(problem({})).toBeUndefined();
  });

  it('requires the source of each claim that is elsewhere', () => {
    const from = (names: JsonObject, sources?: JsonValue): unknown =>
      problem({ _claim_names: names, ...(sources !== undefined && { _claim_sources: sources }) });
    const found = 'the token does not say where its claims are';
    expect(from({ groups: 's' }, { s: {} })).toBeUndefined();
    expect(from({ groups: 's' }, { s: {}, t: {} })).toBeUndefined();
    for (const [names, sources] of [
      [{ groups: 's' }, undefined],
      [{ groups: 's' }, null],
      [{ groups: 's', other: 't' }, { s: {} }],
      [{ groups: '' }, { '': {} }],
      [{ groups: null }, { s: {} }],
      [{ groups: 'toString' }, {}],
    ] as const)
      expect(from(names as JsonObject, sources as JsonValue)).toBe(found);
  });
});

describe('secondsOf', () => {
  it('cuts off fractions, and knows no time that 64 bits cannot hold', () => {
    expect([1.9, -1.9, '1e3', 2n ** 62n].map(secondsOf)).toEqual([1, -1, 1000, 2 ** 62]);
    expect([2 ** 63, -(2 ** 63), '1e400', '01', '+1', '0x1'].map(secondsOf)).toEqual(
      Array(6).fill(undefined),
    );
  });
});
