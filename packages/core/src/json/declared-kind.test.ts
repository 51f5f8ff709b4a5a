import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../contracts/steps.ts';
import { declaredKind, declaredKindOfTextSteps, declaresKind } from './declared-kind.ts';

describe('the kind that a body declares', () => {
  it.each([
    ['{"kind":"K","apiVersion":"v1","a":1}', { kind: 'K', apiVersion: 'v1' }],
    ['{ "KIND" : "A" , "kind":"B"}', { kind: 'B' }],
    ['{"kind":"B","Kind":"A","kind":null}', { kind: 'A' }],
    ['{"apiVersion":{"kind":[1,"}"]},"apiVersion":"v1","kind":5}', { apiVersion: { kind: [1, '}'] } }],
    ['{"kind":5,"apiVersion":[]}', { kind: 5 }],
    ['{"metadata":{"kind":"A"},"spec":["kind"],"a\\"kind":"b","\\u006bind":"K"}', { kind: 'K' }],
    ['{"\u212aind":"K","apiVer\u017fion":"v2"}', { kind: 'K', apiVersion: 'v2' }],
    ['{}', {}],
    ['[{"kind":"A"}]', [{ kind: 'A' }]],
    ['null', null],
  ])('of %s is %j', (text, expected) => {
    expect(runAtOnce(declaredKindOfTextSteps(text))).toEqual(expected);
  });

  it('of a value is the value itself, unless names are written otherwise', () => {
    const plain = { kind: 'K', a: 1 };
    expect(declaredKind(plain)).toBe(plain);
    expect(declaredKind('x')).toBe('x');
    expect(declaredKind({ kind: 'K', KIND: 'A', x: 1 })).toEqual({ kind: 'K' });
    expect(declaredKind({ apiVersion: null, APIVersion: 'v2' })).toEqual({ apiVersion: 'v2' });
  });

  it('is in members with these names only', () => {
    expect(['kind', 'KIND', 'apiversion', 'kinds', ''].map(declaresKind)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['a long number', `{"a":${'1'.repeat(1_000_000)}}`],
    ['a text of quotes', `{"a":"${'\\"'.repeat(500_000)}"}`],
    ['many members', `{${'"a":1,'.repeat(10_000)}"a":1}`],
  ])('is found with pauses in %s', (_, text) => {
    const steps = declaredKindOfTextSteps(text);
    let pauses = 0;
    for (; !steps.next().done; pauses++);
    expect(pauses).toBeGreaterThan(10);
  });
});
