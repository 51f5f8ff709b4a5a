import {
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  fieldErrorText,
  PrintedValue,
} from '../errors/field-error.ts';
import { joinedTexts } from '../errors/joined-messages.ts';
import { ParseError } from '../errors/parse-error.ts';
import { goStringList } from '../text/go-text.ts';
import { compareUtf8 } from '../text/utf8.ts';
import { labelValueErrors, qualifiedNameErrors } from '../validation/names.ts';
import { parseInt64 } from '../values/integer-text.ts';

/** Operator on a label. `=` and `==` are the same; `!` is absence. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One condition on a label (semantics/list-and-watch#label-selectors). */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Whether labels meet a condition. */
export type LabelMatcher = (labels: Labels) => boolean;

/**
 * A requirement whose key and values fit its operator.
 * @throws ParseError listing every error, several in brackets
 */
export function labelRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): LabelRequirement {
  if (operator === '=' && isUsual(key, values)) return { key, operator, values };
  const errors = [...keyErrors('key', key), ...countErrors(operator, values), ...valueErrors(key, values)];
  if (errors.length === 0) return { key, operator, values };
  throw new ParseError(joinedTexts(errors.map(fieldErrorText)));
}

/** Nearly all are: of these no errors are listed. */
const isUsual = (key: string, values: readonly string[]): boolean =>
  values.length === 1 &&
  qualifiedNameErrors(key).length === 0 &&
  labelValueErrors(values[0] as string).length === 0;

/** The errors of a key as one error. */
export function keyErrors(field: string, key: string): FieldError[] {
  const problems = qualifiedNameErrors(key);
  return problems.length === 0 ? [] : [FieldErrors.invalid(field, key, problems.join('; '))];
}

function countErrors(operator: LabelOperator, values: readonly string[]): FieldError[] {
  const refuse = (why: string): FieldError[] => [FieldErrors.invalid('values', printed(values), why)];
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length > 0 ? [] : refuse("for 'in', 'notin' operators, values set can't be empty");
    case 'exists':
    case '!':
      return values.length === 0 ? [] : refuse('values set must be empty for exists and does not exist');
    case 'gt':
    case 'lt':
      return [
        ...(values.length === 1 ? [] : refuse("for 'Gt', 'Lt' operators, exactly one value is required")),
        ...fieldErrorsOf(values, integerErrors),
      ];
    default:
      return values.length === 1 ? [] : refuse('exact-match compatibility requires one single value');
  }
}

const printed = (values: readonly string[]): PrintedValue =>
  new PrintedValue(goStringList(values.length === 0 ? undefined : values));

function integerErrors(value: string, index: number): FieldError[] {
  if (parseInt64(value) !== undefined) return [];
  return [
    FieldErrors.invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"),
  ];
}

function valueErrors(key: string, values: readonly string[]): FieldError[] {
  return fieldErrorsOf(values, (value, index) => {
    const problems = labelValueErrors(value);
    return problems.length === 0
      ? []
      : [FieldErrors.invalid(`values[${index}][${key}]`, value, problems.join('; '))];
  });
}

/**
 * Compiles a requirement. Absent labels match `!=` and `notin`; values that are not integers match neither
 * `gt` nor `lt`.
 */
export function compileLabelRequirement({ key, operator, values }: LabelRequirement): LabelMatcher {
  switch (operator) {
    case 'exists':
      return (labels) => Object.hasOwn(labels, key);
    case '!':
      return (labels) => !Object.hasOwn(labels, key);
    case 'gt':
      return comparison(key, values, (value, bound) => value > bound);
    case 'lt':
      return comparison(key, values, (value, bound) => value < bound);
    case '!=':
    case 'notin':
      return negation(membership(key, values));
    default:
      return membership(key, values);
  }
}

function membership(key: string, values: readonly string[]): LabelMatcher {
  if (values.length === 1) {
    const [only] = values;
    return (labels) => labels[key] === only && Object.hasOwn(labels, key);
  }
  const set = new Set(values);
  return (labels) => Object.hasOwn(labels, key) && set.has(labels[key] as string);
}

const negation =
  (matches: LabelMatcher): LabelMatcher =>
  (labels) =>
    !matches(labels);

function comparison(
  key: string,
  values: readonly string[],
  compare: (value: bigint, bound: bigint) => boolean,
): LabelMatcher {
  const bound = parseInt64(values[0] ?? '');
  return (labels) => {
    if (bound === undefined || !Object.hasOwn(labels, key)) return false;
    const value = parseInt64(labels[key] as string);
    return value !== undefined && compare(value, bound);
  };
}

/** A requirement in the query form; sets are printed sorted. */
export function labelRequirementText({ key, operator, values }: LabelRequirement): string {
  const list = values.length > 1 ? [...values].sort(compareUtf8).join(',') : (values[0] ?? '');
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list})`;
    case 'gt':
      return `${key}>${list}`;
    case 'lt':
      return `${key}<${list}`;
    default:
      return `${key}${operator}${list}`;
  }
}
