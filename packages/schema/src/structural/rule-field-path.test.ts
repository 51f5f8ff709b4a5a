import { fieldErrorText, orchVocabulary, type Schema } from '@ashlar/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRuleFieldPath } from './rule-field-path.ts';
import { checkStructuralSchema } from './structural-check.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    a: { type: 'object', properties: { 'b-c': { type: 'string' }, "d'e": { type: 'string' } } },
    m: { type: 'object', additionalProperties: { type: 'object', properties: { x: { type: 'string' } } } },
    l: { type: 'array', items: { type: 'object', properties: { x: { type: 'string' } } } },
  },
};

describe('the path of a rule', () => {
  it.each([
    ['.a', '.a'],
    [".a['b-c']", '.a.b-c'],
    [".a['d\\'e']", ".a.d'e"],
    ['.a.b-c', '.a.b-c'],
    ['.m.k.x', '.m[k].x'],
    [".m['k k']", '.m[k k]'],
  ])('%s resolves to %s', (text, path) => {
    expect(readRuleFieldPath(text, schema)).toBe(path);
  });
  it.each(['a', '.', '.nope', '.a.', '.l[0]', '.l.x', '.a[b-c]', ".a['b-c'", ' ', '.a.b-c.d', ".a['\\q']"])(
    '%s does not resolve',
    (text) => {
      expect(readRuleFieldPath(text, schema)).toBeUndefined();
    },
  );
  it('handles every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('.', '[', ']', "'", '\\', 'a', 'm') }), (text) => {
        const path = readRuleFieldPath(text, schema);
        expect(path === undefined || typeof path === 'string').toBe(true);
      }),
    );
  });
});

describe('rules', () => {
  const check = (rule: Record<string, string>): string[] =>
    checkStructuralSchema(
      { type: 'object', properties: { a: { type: 'string', 'x-orch-validations': [rule] } } },
      { vocabulary: orchVocabulary, path: '$' },
    ).map((error) => fieldErrorText(error).replace('$.properties[a].x-orch-validations[0]', '@'));

  it.each<[Record<string, string>, string[]]>([
    [{ rule: 'self == 1', message: 'm', reason: 'FieldValueInvalid' }, []],
    [{ message: 'm' }, ['@.rule: Required value: rule is not specified']],
    [{ rule: ' ' }, ['@.rule: Required value: rule is not specified']],
    [{ rule: 'x', message: ' ' }, ['@.message: Invalid value: " ": message must be non-empty if specified']],
    [
      { rule: 'x', message: 'a\nb' },
      ['@.message: Invalid value: "a\\nb": message must not contain line breaks'],
    ],
    [{ rule: 'x\ny' }, ['@.message: Required value: message must be specified if rule contains line breaks']],
    [
      { rule: 'x', messageExpression: ' ' },
      ['@.messageExpression: Required value: messageExpression must be non-empty if specified'],
    ],
    [
      { rule: 'x', reason: 'Other' },
      [
        '@.reason: Unsupported value: "Other": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      ],
    ],
    [{ rule: 'x', fieldPath: '.b' }, ['@.fieldPath: Invalid value: ".b": fieldPath must be a valid path']],
  ])('%j', (rule, expected) => {
    expect(check(rule)).toEqual(expected);
  });
});
