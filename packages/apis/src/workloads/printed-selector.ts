import {
  goQuote,
  goTextMapSyntax,
  type LabelSelectorObject,
  type PrintedValue,
  printedBy,
} from '@ashlar/core';

/** A selector as errors print it: as the structure that it is in Go. */
export const printedSelector = (
  selector: LabelSelectorObject | null | undefined,
): LabelSelectorObject | PrintedValue | null => (selector ? printedBy(selector, selectorText) : null);

type Requirement = NonNullable<LabelSelectorObject['matchExpressions']>[number];

function selectorText({ matchLabels, matchExpressions }: LabelSelectorObject): string {
  const requirements = listText('v1.LabelSelectorRequirement', matchExpressions?.map(requirementText));
  return `v1.LabelSelector{MatchLabels:${goTextMapSyntax(matchLabels)}, MatchExpressions:${requirements}}`;
}

function requirementText({ key, operator, values }: Requirement): string {
  const texts = listText('string', values?.map(goQuote));
  return `v1.LabelSelectorRequirement{Key:${goQuote(key)}, Operator:${goQuote(operator)}, Values:${texts}}`;
}

const listText = (type: string, items: readonly string[] | undefined): string =>
  items ? `[]${type}{${items.join(', ')}}` : `[]${type}(nil)`;
