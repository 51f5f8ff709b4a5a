import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../errors/field-error.ts';
import { ParseError } from '../errors/parse-error.ts';
import { labelSelectorText, toLabelSelector, validateLabelSelector } from './label-selector-object.ts';

const mixed = {
  matchLabels: { env: 'prod' },
  matchExpressions: [
    { key: 'tier', operator: 'In', values: ['web', 'db'] },
    { key: 'legacy', operator: 'DoesNotExist' },
  ],
};

describe('the structured form', () => {
  it('matches labels and expressions', () => {
    const selector = toLabelSelector(mixed);
    expect(selector.matches({ env: 'prod', tier: 'db' })).toBe(true);
    expect(selector.matches({ env: 'prod', tier: 'db', legacy: '' })).toBe(false);
    expect(selector.matches({ env: 'prod' })).toBe(false);
  });

  it('selects everything when empty and nothing when absent', () => {
    expect(toLabelSelector({}).matches({})).toBe(true);
    expect(toLabelSelector(undefined).matches({})).toBe(false);
    expect(toLabelSelector(null).matches({ a: 'b' })).toBe(false);
  });

  it('is printed in the query form', () => {
    expect(labelSelectorText(mixed)).toBe('env=prod,!legacy,tier in (db,web)');
    expect(labelSelectorText({})).toBe('<none>');
    expect(labelSelectorText(undefined)).toBe('<none>');
    expect(labelSelectorText({ matchLabels: { '-': '' } })).toBe('<error>');
  });

  it.each([
    [[{ key: 'a', operator: 'Gt', values: ['1'] }], '"Gt" is not a valid label selector operator'],
    [[{ key: 'a', operator: 'toString' }], '"toString" is not a valid label selector operator'],
    [
      [{ key: 'a', operator: 'In' }],
      "values: Invalid value: []string(nil): for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      [{ key: 'a', operator: 'Exists', values: ['x'] }],
      'values: Invalid value: []string{"x"}: values set must be empty for exists and does not exist',
    ],
    [[{ key: '/a', operator: 'Exists' }], 'key: Invalid value: "/a": prefix part must be non-empty'],
  ])('does not compile %j', (matchExpressions, message) => {
    expect(() => toLabelSelector({ matchExpressions })).toThrow(new ParseError(message));
  });

  it("is validated with the field's path", () => {
    const errors = validateLabelSelector(
      {
        matchLabels: { '/a': '' },
        matchExpressions: [
          { key: 'a', operator: 'NotIn' },
          { key: 'a', operator: 'Exists', values: ['x'] },
          { key: 'a', operator: 'Gt' },
          { key: '/a', operator: 'In', values: ['x'.repeat(64)] },
        ],
      },
      'spec.selector',
    );
    expect(errors.map(fieldErrorText)).toEqual([
      'spec.selector.matchLabels: Invalid value: "/a": prefix part must be non-empty',
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'spec.selector.matchExpressions[2].operator: Invalid value: "Gt": not a valid selector operator',
      'spec.selector.matchExpressions[3].key: Invalid value: "/a": prefix part must be non-empty',
      `spec.selector.matchExpressions[3].values[0]: Invalid value: "${'x'.repeat(64)}": must be no more than 63 characters`,
    ]);
    expect(validateLabelSelector(mixed, 'f')).toEqual([]);
    expect(validateLabelSelector(undefined, 'f')).toEqual([]);
  });
});
