import { compareUtf8, type LabelSelectorObject } from '@ashlar/core';

/** The structured form as the structure that it is in Go: what bindings of policies show of the parameters that they select. */
export function labelSelectorSyntax({ matchLabels, matchExpressions }: LabelSelectorObject): string {
  const labels = Object.entries(matchLabels ?? {}).sort(([a], [b]) => compareUtf8(a, b));
  const labelTexts = labels.map(([key, value]) => `${key}: ${value},`);
  const expressionTexts = (matchExpressions ?? []).map(
    ({ key, operator, values }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labelTexts.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressionTexts.join('')}},}`;
}
