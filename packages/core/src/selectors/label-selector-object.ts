import type { Steps } from '../contracts/steps.ts';
import {
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  fieldErrorsOfSteps,
  MAXIMUM_FIELD_ERRORS,
} from '../errors/field-error.ts';
import { ParseError } from '../errors/parse-error.ts';
import { goQuote } from '../text/go-text.ts';
import { ErrorsAhead } from '../validation/errors-ahead.ts';
import { validateLabels } from '../validation/label-validation.ts';
import { labelValueErrors, qualifiedNameErrors } from '../validation/names.ts';
import { type LabelOperator, type LabelRequirement, labelRequirement } from './label-requirement.ts';
import {
  everyLabel,
  type LabelSelector,
  labelSelectorOf,
  labelSelectorOfSteps,
  noLabel,
} from './label-selector.ts';

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

/** Requirements and values that are checked between two pauses. */
const STRIDE = 1024;

/**
 * As {@link toLabelSelector}, with pauses, of many requirements or those of many values.
 * @throws ParseError for the first requirement that is malformed
 */
export function* toLabelSelectorSteps(object: LabelSelectorObject): Steps<LabelSelector> {
  const { matchLabels = {}, matchExpressions = [] } = object;
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(matchLabels)) {
    requirements.push(labelRequirement(key, '=', [value]));
    if (requirements.length % STRIDE === 0) yield;
  }
  for (const expression of matchExpressions) {
    requirements.push(yield* toRequirementSteps(expression));
    if (requirements.length % STRIDE === 0) yield;
  }
  return requirements.length === 0 ? everyLabel : yield* labelSelectorOfSteps(requirements);
}

/** Checks many values in parts, if their number is right. */
function* toRequirementSteps(expression: LabelSelectorExpression): Steps<LabelRequirement> {
  const { key, operator, values = [] } = expression;
  if (values.length <= STRIDE || (operator !== 'In' && operator !== 'NotIn'))
    return toRequirement(expression);
  for (let start = 0; start < values.length; start += STRIDE) {
    const part = values.slice(start, start + STRIDE);
    // all errors of a requirement are in one message
    if (part.some((value) => labelValueErrors(value).length > 0)) return toRequirement(expression);
    yield;
  }
  return { ...toRequirement({ key, operator, values: values.slice(0, 1) }), values };
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
    ...expressionsErrors(object.matchExpressions ?? [], `${field}.matchExpressions`),
  ];
}

type Expressions = readonly LabelSelectorExpression[];

const ahead = new ErrorsAhead<Expressions>();

function expressionsErrors(expressions: Expressions, field: string): readonly FieldError[] {
  return (
    ahead.at(expressions, field) ??
    fieldErrorsOf(expressions, (expression, index) => labelExpressionErrors(expression, `${field}[${index}]`))
  );
}

/** Validates many requirements with pauses: `validateLabelSelector` then knows their errors at any field. */
export function* validateExpressionsAheadSteps(expressions: Expressions): Steps<void> {
  if (ahead.has(expressions)) return;
  const errors: FieldError[] = [];
  for (const [index, expression] of expressions.entries()) {
    for (const error of yield* expressionErrorsSteps(expression, `[${index}]`)) errors.push(error);
    if (errors.length > MAXIMUM_FIELD_ERRORS) break;
    if (index % STRIDE === STRIDE - 1) yield;
  }
  ahead.add(expressions, errors);
}

/** As {@link labelExpressionErrors}, with pauses if it has many values. */
function* expressionErrorsSteps(expression: LabelSelectorExpression, field: string): Steps<FieldError[]> {
  const { key, operator, values = [] } = expression;
  if (values.length <= STRIDE) return labelExpressionErrors(expression, field);
  return [
    ...operatorErrors(operator, values, field),
    ...keyErrors(key, field),
    ...(yield* fieldErrorsOfSteps(values, valueErrorsIn(field), STRIDE)),
  ];
}

/** Validates one requirement of a selector. */
export function labelExpressionErrors(
  { key, operator, values = [] }: LabelSelectorExpression,
  field: string,
): FieldError[] {
  return [
    ...operatorErrors(operator, values, field),
    ...keyErrors(key, field),
    ...fieldErrorsOf(values, valueErrorsIn(field)),
  ];
}

const keyErrors = (key: string, field: string): FieldError[] =>
  qualifiedNameErrors(key).map((why) => FieldErrors.invalid(`${field}.key`, key, why));

const valueErrorsIn =
  (field: string) =>
  (value: string, index: number): FieldError[] =>
    labelValueErrors(value).map((why) => FieldErrors.invalid(`${field}.values[${index}]`, value, why));

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
