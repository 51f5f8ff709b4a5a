import { printFieldValue } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { printedSelector } from './printed-selector.ts';

const printed = (selector: Parameters<typeof printedSelector>[0]): string =>
  printFieldValue(printedSelector(selector));

describe('a selector in errors', () => {
  it('is the structure that it is in Go', () => {
    expect(printed({ matchLabels: { b: '2', a: '1' } })).toBe(
      'v1.LabelSelector{MatchLabels:map[string]string{"a":"1", "b":"2"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}',
    );
    const matchExpressions = [
      { key: 'a', operator: 'In', values: ['x', 'y'] },
      { key: 'b', operator: 'Exists' },
    ] as const;
    expect(printed({ matchExpressions })).toBe(
      'v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement{' +
        'v1.LabelSelectorRequirement{Key:"a", Operator:"In", Values:[]string{"x", "y"}}, ' +
        'v1.LabelSelectorRequirement{Key:"b", Operator:"Exists", Values:[]string(nil)}}}',
    );
  });

  it('is not shown if it is absent or large', () => {
    expect(printed(undefined)).toBe('"null"');
    expect(printed({ matchLabels: { a: 'x'.repeat(5000) } })).toBe('{...}');
  });
});
