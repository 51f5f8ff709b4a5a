import {
  type AuthorizationAttributes,
  type JsonObject,
  type LabelRequirement,
  ParseError,
  parseFieldSelector,
  parseLabelSelector,
} from '@ashlar/core';

/** Selectors in the form of access reviews. */
export type ReviewSelectors = Readonly<
  Partial<Record<'fieldSelector' | 'labelSelector', { readonly requirements: readonly JsonObject[] }>>
>;

/**
 * Selectors of a request in the form of access reviews; unsupported requirements are omitted: they would only
 * narrow.
 */
export function reviewSelectors(attributes: AuthorizationAttributes): ReviewSelectors {
  const { fieldSelector = '', labelSelector = '' } = attributes;
  const fields = parsed(fieldSelector, (text) =>
    parseFieldSelector(text).requirements.map(({ field, operator, value }) => ({
      key: field,
      operator: operator === '=' ? 'In' : 'NotIn',
      values: [value],
    })),
  );
  const labels = parsed(labelSelector, (text) =>
    parseLabelSelector(text).requirements.flatMap(labelRequirementOf),
  );
  return {
    ...(fields.length > 0 && { fieldSelector: { requirements: fields } }),
    ...(labels.length > 0 && { labelSelector: { requirements: labels } }),
  };
}

const OPERATORS: Readonly<Record<string, string>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

function labelRequirementOf({ key, operator, values }: LabelRequirement): readonly JsonObject[] {
  const named = OPERATORS[operator];
  if (named === undefined) return [];
  return [{ key, operator: named, ...(values.length > 0 && { values: [...values].sort() }) }];
}

function parsed(text: string, read: (text: string) => readonly JsonObject[]): readonly JsonObject[] {
  if (text === '') return [];
  try {
    return read(text);
  } catch (error) {
    if (ParseError.is(error)) return [];
    throw error;
  }
}
