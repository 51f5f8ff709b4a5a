import {
  fieldErrorText,
  type LabelSelector,
  labelSelectorText,
  parseFieldSelector,
  parseLabelSelector,
  toLabelSelector,
  validateLabelSelector,
} from '@ashlar/core';
import { type CaseRunner, type OracleCase, orError, type SharedCases } from './run-oracles.ts';

type TextMaps = readonly Readonly<Record<string, string>>[];

const setsOf = (shared: SharedCases, suite: string): TextMaps => shared.get(suite)?.sets ?? [];

const matchesOf = (selector: LabelSelector, shared: SharedCases): boolean[] =>
  setsOf(shared, 'label-sets').map((labels) => selector.matches(labels));

const labelSelector: CaseRunner = {
  inputs: ['selector'],
  answer: (test, shared) =>
    orError(() => {
      const selector = parseLabelSelector(test.selector);
      return {
        empty: selector.isEmpty,
        matches: matchesOf(selector, shared),
        print: String(selector),
        requirements: selector.requirements.map(({ key, operator, values }) => ({
          key,
          op: operator,
          values,
        })),
      };
    }),
};

const labelSelectorObject: CaseRunner = {
  inputs: ['object'],
  answer: (test, shared) => ({
    ...orError(() => {
      const selector = toLabelSelector(test.object);
      return {
        matches: matchesOf(selector, shared),
        print: String(selector),
        format: labelSelectorText(test.object),
      };
    }),
    validation: validateLabelSelector(test.object, 'spec.selector').map(fieldErrorText),
  }),
};

const fieldSelector: CaseRunner = {
  inputs: ['selector'],
  answer: (test, shared) => orError(() => fieldAnswer(test, shared)),
};

function fieldAnswer(test: OracleCase, shared: SharedCases): Record<string, unknown> {
  const selector = parseFieldSelector(test.selector);
  const sets = setsOf(shared, 'field-sets');
  return {
    empty: selector.isEmpty,
    exactName: selector.exactValue('metadata.name'),
    matches: sets.map((fields) => selector.matches((field) => fields[field])),
    print: String(selector),
    requirements: selector.requirements.map(({ field, operator, value }) => ({ field, op: operator, value })),
  };
}

export const selectorChecks: Readonly<Record<string, CaseRunner>> = {
  'label-selector': labelSelector,
  'label-selector-random': labelSelector,
  'label-selector-object': labelSelectorObject,
  'field-selector': fieldSelector,
  'field-selector-random': fieldSelector,
};
