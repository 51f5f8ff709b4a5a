import {
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
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
 * Returns the selectors of a review as query strings; invalid ones are omitted and reported. In steps, since anybody may ask with tens of
 * thousands of requirements.
 */
export function* selectorSteps({ fieldSelector, labelSelector }: ResourceAttributes): Steps<ReviewSelectors> {
  const errors: string[] = [];
  const read = (name: string, text: () => string): string | undefined => {
    try {
      return text();
    } catch {
      errors.push(`spec.resourceAttributes.${name} ignored due to parse error`);
      return undefined;
    }
  };
  if (isLong(fieldSelector)) yield;
  const fields = fieldSelector && read('fieldSelector', () => fieldText(fieldSelector));
  if (isLong(labelSelector)) yield;
  const areValid = labelSelector && hasValidRequirements(labelSelector);
  if (isLong(labelSelector)) yield;
  const labels = labelSelector && read('labelSelector', () => labelText(labelSelector, areValid === true));
  return {
    ...(fields && { fieldSelector: fields }),
    ...(labels && { labelSelector: labels }),
    ...(errors.length > 0 && { errors }),
  };
}

/** Requirements that are read without a pause. */
const FEW = 1000;
/** The same of characters. */
const SHORT = 65_536;

const isLong = ({ rawSelector = '', requirements = [] }: SelectorAttributes = {}): boolean =>
  requirements.length > FEW || rawSelector.length > SHORT;

const hasValidRequirements = ({ requirements = [] }: SelectorAttributes): boolean =>
  validateLabelSelector({ matchExpressions: requirements }, 'labelSelector').length === 0;

function labelText({ rawSelector = '', requirements = [] }: SelectorAttributes, areValid: boolean): string {
  if (rawSelector !== '') return parseLabelSelector(rawSelector).toString();
  if (!areValid) throw new TypeError('no label selector');
  return labelSelectorText({ matchExpressions: requirements });
}

/** A field has one value, or one excluded value. */
function fieldText({ rawSelector = '', requirements = [] }: SelectorAttributes): string {
  if (rawSelector !== '') return parseFieldSelector(rawSelector).toString();
  return requirements
    .map(({ key, operator, values = [] }) => {
      if (values.length !== 1 || (operator !== 'In' && operator !== 'NotIn'))
        throw new TypeError('no field selector');
      return `${key}${operator === 'In' ? '=' : '!='}${values[0]}`;
    })
    .join(',');
}
