import {
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  fieldSelectorOf,
  labelExpressionErrors,
  labelSelectorText,
  parseFieldSelector,
  parseLabelSelector,
  type Steps,
  validateLabelSelector,
} from '@ashlar/core';

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

interface SelectorAttributes {
  /** In query form. */
  readonly rawSelector?: string;
  readonly requirements?: readonly Requirement[];
}

/** The resource attributes of a review. */
export interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: SelectorAttributes;
  readonly labelSelector?: SelectorAttributes;
}

/** Validates the selectors of a review (semantics/access#access-reviews). */
export function selectorErrors(
  { fieldSelector, labelSelector }: ResourceAttributes,
  path: string,
): readonly FieldError[] {
  return [
    ...attributesErrors(fieldSelector, `${path}.fieldSelector`, fieldRequirementErrors),
    ...attributesErrors(labelSelector, `${path}.labelSelector`, labelRequirementErrors),
  ];
}

function attributesErrors(
  attributes: SelectorAttributes | undefined,
  path: string,
  errorsOf: (requirement: Requirement, path: string) => readonly FieldError[],
): readonly FieldError[] {
  if (!attributes) return [];
  const { rawSelector = '', requirements = [] } = attributes;
  const text = `when ${path} is specified, requirements or rawSelector is required`;
  if (rawSelector === '' && requirements.length === 0)
    return [FieldErrors.required(`${path}.requirements`, text)];
  const both = 'may not specified at the same time as requirements';
  return [
    ...(rawSelector !== '' && requirements.length > 0
      ? [FieldErrors.invalid(`${path}.rawSelector`, rawSelector, both)]
      : []),
    ...fieldErrorsOf(requirements, (requirement, index) =>
      errorsOf(requirement, `${path}.requirements[${index}]`),
    ),
  ];
}

/** Unknown operators are accepted here; such a requirement is ignored afterwards. */
function fieldRequirementErrors(requirement: Requirement, path: string): readonly FieldError[] {
  const missing = requirement.key === '' ? [FieldErrors.required(`${path}.key`, 'must be specified')] : [];
  return [...missing, ...valuesErrors(requirement, path)];
}

function valuesErrors({ operator, values = [] }: Requirement, path: string): readonly FieldError[] {
  const listed = operator === 'In' || operator === 'NotIn';
  if (listed && values.length === 0)
    return [FieldErrors.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  if (!listed && (operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    const text = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return [FieldErrors.forbidden(`${path}.values`, text)];
  }
  return [];
}

function labelRequirementErrors(requirement: Requirement, path: string): readonly FieldError[] {
  return labelExpressionErrors(requirement, path).filter(({ field }) => field !== `${path}.operator`);
}

/** Selectors for an authorizer, and the errors of omitted ones. */
export interface ReviewSelectors {
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  readonly errors?: readonly string[];
}

/**
 * Returns the selectors of a review as query strings. Invalid requirements are omitted and reported: without them the question is a
 * broader one. In steps, since anybody may ask with tens of thousands of requirements.
 */
export function* selectorSteps({ fieldSelector, labelSelector }: ResourceAttributes): Steps<ReviewSelectors> {
  const fields = fieldSelector && (yield* readSelectorSteps(fieldSelector, fieldForms));
  const labels = labelSelector && (yield* readSelectorSteps(labelSelector, labelForms));
  const errors = [
    ...(fields?.ignored ? [`spec.resourceAttributes.fieldSelector ${fields.ignored}`] : []),
    ...(labels?.ignored ? [`spec.resourceAttributes.labelSelector ${labels.ignored}`] : []),
  ];
  return {
    ...(fields?.text && { fieldSelector: fields.text }),
    ...(labels?.text && { labelSelector: labels.text }),
    ...(errors.length > 0 && { errors }),
  };
}

/** Requirements that are read without a pause. */
const FEW = 1000;
/** The same of characters. */
const SHORT = 65_536;

const isLong = ({ rawSelector = '', requirements = [] }: SelectorAttributes = {}): boolean =>
  requirements.length > FEW || rawSelector.length > SHORT;

/** How a kind of selectors is read and printed. */
interface SelectorForms {
  /** @throws ParseError */
  parsed(text: string): string;
  isValid(requirement: Requirement): boolean;
  printed(valid: readonly Requirement[]): string;
}

const labelForms: SelectorForms = {
  parsed: (text) => parseLabelSelector(text).toString(),
  isValid: (requirement) =>
    validateLabelSelector({ matchExpressions: [requirement] }, 'labelSelector').length === 0,
  printed: (valid) => labelSelectorText({ matchExpressions: valid }),
};

const fieldForms: SelectorForms = {
  parsed: (text) => parseFieldSelector(text).toString(),
  // a field has one value, or one excluded value; of names with other characters the text would be that of other requirements
  isValid: ({ key, operator, values = [] }) =>
    values.length === 1 && (operator === 'In' || operator === 'NotIn') && !/[\\,=!]/.test(key),
  printed: (valid) =>
    fieldSelectorOf(
      valid.map(({ key, operator, values: [value = ''] = [] }) => ({
        field: key,
        operator: operator === 'In' ? '=' : '!=',
        value,
      })),
    ).toString(),
};

/** A selector in query form, and how much of it is ignored. */
interface ReadSelector {
  readonly text?: string;
  readonly ignored?: string;
}

const IGNORED = 'ignored due to parse error';

function* readSelectorSteps(selector: SelectorAttributes, forms: SelectorForms): Steps<ReadSelector> {
  const { rawSelector = '', requirements = [] } = selector;
  if (isLong(selector)) yield;
  if (rawSelector !== '') {
    const read = readText(rawSelector, forms);
    if (isLong(selector)) yield;
    return read;
  }
  const valid: Requirement[] = [];
  for (const [index, requirement] of requirements.entries()) {
    if (index % FEW === FEW - 1) yield;
    if (forms.isValid(requirement)) valid.push(requirement);
  }
  if (valid.length === 0) return { ignored: IGNORED };
  if (isLong(selector)) yield;
  const text = forms.printed(valid);
  if (isLong(selector)) yield;
  return { text, ...(valid.length < requirements.length && { ignored: `partially ${IGNORED}` }) };
}

function readText(text: string, forms: SelectorForms): ReadSelector {
  try {
    return { text: forms.parsed(text) };
  } catch {
    return { ignored: IGNORED };
  }
}
