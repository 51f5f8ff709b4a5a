import { type FieldError, FieldErrors, fieldErrorsOf } from '../errors/field-error.ts';
import { ParseError } from '../errors/parse-error.ts';
import { goQuote } from '../text/go-text.ts';
import { validateLabels } from '../validation/label-validation.ts';
import { labelValueErrors, qualifiedNameErrors } from '../validation/names.ts';
import { type LabelOperator, type LabelRequirement, labelRequirement } from './label-requirement.ts';
import { everyLabel, type LabelSelector, labelSelectorOf, noLabel } from './label-selector.ts';

/** One expression of the structured form. */
export interface LabelSelectorExpression {
  readonly key: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  readonly operator: string;
  readonly values?: readonly string[];
}

/** A label selector as it appears in objects (semantics/list-and-watch#label-selectors). */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorExpression[];
}

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/**
 * Compiles the structured form: an empty one selects everything, an absent one nothing.
 *
 * @example
 * toLabelSelector({ matchLabels: { tier: 'web' } }).matches({ tier: 'web', env: 'dev' }); // true
 *
 * @throws ParseError for the first requirement that is malformed
 */
export function toLabelSelector(object: LabelSelectorObject | null | undefined): LabelSelector {
  if (!object) return noLabel;
  const { matchLabels = {}, matchExpressions = [] } = object;
  const exact = Object.entries(matchLabels).map(([key, value]) => labelRequirement(key, '=', [value]));
  const requirements = [...exact, ...matchExpressions.map(toRequirement)];
  return requirements.length === 0 ? everyLabel : labelSelectorOf(requirements);
}

function toRequirement({ key, operator, values = [] }: LabelSelectorExpression): LabelRequirement {
  const selectorOperator = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (!selectorOperator) throw new ParseError(`${goQuote(operator)} is not a valid label selector operator`);
  return labelRequirement(key, selectorOperator, values);
}

/**
 * The structured form as shown to people: the query form, `<none>` for everything and nothing, `<error>` if
 * it is malformed.
 */
export function labelSelectorText(object: LabelSelectorObject | null | undefined): string {
  try {
    return toLabelSelector(object).toString() || '<none>';
  } catch (error) {
    if (error instanceof ParseError) return '<error>';
    throw error;
  }
}

/** Validates the structured form at a field of an object. */
export function validateLabelSelector(
  object: LabelSelectorObject | null | undefined,
  field: string,
): readonly FieldError[] {
  if (!object) return [];
  return [
    ...validateLabels(object.matchLabels, `${field}.matchLabels`),
    ...fieldErrorsOf(object.matchExpressions ?? [], (expression, index) =>
      labelExpressionErrors(expression, `${field}.matchExpressions[${index}]`),
    ),
  ];
}

/** Validates one requirement of a selector. */
export function labelExpressionErrors(
  { key, operator, values = [] }: LabelSelectorExpression,
  field: string,
): FieldError[] {
  return [
    ...operatorErrors(operator, values, field),
    ...qualifiedNameErrors(key).map((why) => FieldErrors.invalid(`${field}.key`, key, why)),
    ...fieldErrorsOf(values, (value, index) =>
      labelValueErrors(value).map((why) => FieldErrors.invalid(`${field}.values[${index}]`, value, why)),
    ),
  ];
}

function operatorErrors(operator: string, values: readonly string[], field: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [
        FieldErrors.required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"),
      ];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [
        FieldErrors.forbidden(
          `${field}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      ];
    default:
      return [FieldErrors.invalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}
