import { describe, expect, it } from 'vitest';
import { labelSelectorSyntax } from './label-selector-syntax.ts';

describe('a label selector in Go syntax', () => {
  it('has its labels in order and its expressions', () => {
    const matchExpressions = [
      { key: 'k', operator: 'In', values: ['a', 'b'] },
      { key: 'q', operator: 'Exists' },
    ];
    expect(labelSelectorSyntax({ matchLabels: { z: '1', a: '2' }, matchExpressions })).toBe(
      '&LabelSelector{MatchLabels:map[string]string{a: 2,z: 1,},MatchExpressions:[]LabelSelectorRequirement{' +
        'LabelSelectorRequirement{Key:k,Operator:In,Values:[a b],},LabelSelectorRequirement{Key:q,Operator:Exists,Values:[],},},}',
    );
  });

  it('has both parts of one that selects everything', () => {
    expect(labelSelectorSyntax({})).toBe(
      '&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}',
    );
  });
});
