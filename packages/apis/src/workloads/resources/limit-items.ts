import {
  compareUtf8,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  ownMember,
  parseQuantity,
  type Quantity,
  qualifiedNameErrors,
  type Vocabulary,
} from '@ashlar/core';
import {
  each,
  eachEntry,
  follows,
  forbiddenWhen,
  invalidWhen,
  NO_ERRORS,
  requiredWhen,
} from '../field-rules.ts';
import type { ResourceList } from '../pods/container-types.ts';
import type { LimitItem } from './quota-types.ts';
import { containerResourceErrors, isOvercommitted, resourceNameErrors } from './resource-names.ts';

const TYPES: readonly string[] = ['Pod', 'Container', 'PersistentVolumeClaim'];

/** Errors of the limits of a namespace: one item for each type of object. */
export function limitItemsErrors(
  items: readonly LimitItem[] | null | undefined,
  vocabulary: Vocabulary,
): readonly FieldError[] {
  const types = new Set<string>();
  return each('spec.limits', items, (item, path) => {
    const { type = '' } = item;
    const isRepeated = types.has(type);
    types.add(type);
    return [
      ...typeErrors(type, `${path}.type`),
      ...(isRepeated ? [FieldErrors.duplicate(`${path}.type`, type)] : NO_ERRORS),
      ...namesErrors(item, vocabulary, path),
      ...amountsErrors(item, vocabulary, path),
    ];
  });
}

function typeErrors(type: string, path: string): readonly FieldError[] {
  const wrong = follows(path, type, qualifiedNameErrors);
  if (wrong.length > 0) return wrong;
  return invalidWhen(
    !type.includes('/') && !TYPES.includes(type),
    path,
    type,
    'must be a standard limit type or fully qualified',
  );
}

function namesErrors(item: LimitItem, vocabulary: Vocabulary, path: string): readonly FieldError[] {
  const ofContainers = item.type === 'Pod' || item.type === 'Container';
  const names = (field: keyof LimitItem): readonly FieldError[] =>
    eachEntry(item[field] as ResourceList | undefined, (name) => {
      const at = `${path}.${field}[${name}]`;
      return ofContainers ? containerResourceErrors(name, vocabulary, at) : resourceNameErrors(name, at);
    });
  const hasStorage = item.min?.storage !== undefined || item.max?.storage !== undefined;
  return [
    ...names('max'),
    ...names('min'),
    ...(item.type === 'Pod' ? podErrors(item, path) : [...names('default'), ...names('defaultRequest')]),
    ...requiredWhen(
      item.type === 'PersistentVolumeClaim' && !hasStorage,
      `${path}.limits`,
      'either minimum or maximum storage value is required, but neither was provided',
    ),
    ...names('maxLimitRequestRatio'),
  ];
}

const podErrors = (item: LimitItem, path: string): readonly FieldError[] =>
  (['default', 'defaultRequest'] as const).flatMap((field) =>
    forbiddenWhen(
      Object.keys(item[field] ?? {}).length > 0,
      `${path}.${field}`,
      "may not be specified when `type` is 'Pod'",
    ),
  );

/** The amounts of one resource in an item. */
interface Amounts {
  readonly min?: Quantity | undefined;
  readonly max?: Quantity | undefined;
  readonly default?: Quantity | undefined;
  readonly defaultRequest?: Quantity | undefined;
  readonly maxLimitRequestRatio?: Quantity | undefined;
}

const FIELDS = ['min', 'max', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

function amountsErrors(item: LimitItem, vocabulary: Vocabulary, path: string): readonly FieldError[] {
  const isPod = item.type === 'Pod';
  const fields = isPod ? (['min', 'max', 'maxLimitRequestRatio'] as const) : FIELDS;
  const names = new Set(fields.flatMap((field) => Object.keys(item[field] ?? {})));
  return fieldErrorsOf([...names].sort(compareUtf8), (name) => {
    const amounts: Record<string, Quantity> = {};
    for (const field of fields) {
      const amount = ownMember(item[field] ?? {}, name);
      if (amount !== undefined) amounts[field] = parseQuantity(amount);
    }
    return [
      ...orderErrors(name, amounts, path),
      ...ratioErrors(name, amounts, path),
      ...equalErrors(name, amounts, isOvercommitted(name, vocabulary), path),
    ];
  });
}

interface Order {
  readonly low: 'min' | 'defaultRequest' | 'default';
  readonly high: 'max' | 'defaultRequest' | 'default';
  /** The field that errors name. */
  readonly field: keyof Amounts;
  /** The one whose amount they show. */
  readonly shown: keyof Amounts;
  readonly why: (low: Quantity, high: Quantity) => string;
}

/** Which amount must not be greater than which, in the order of errors. */
const ORDERS: readonly Order[] = [
  {
    low: 'min',
    high: 'max',
    field: 'min',
    shown: 'min',
    why: (low, high) => `min value ${low} is greater than max value ${high}`,
  },
  {
    low: 'min',
    high: 'defaultRequest',
    field: 'defaultRequest',
    shown: 'defaultRequest',
    why: (low, high) => `min value ${low} is greater than default request value ${high}`,
  },
  {
    low: 'defaultRequest',
    high: 'max',
    field: 'defaultRequest',
    shown: 'defaultRequest',
    why: (low, high) => `default request value ${low} is greater than max value ${high}`,
  },
  {
    low: 'defaultRequest',
    high: 'default',
    field: 'defaultRequest',
    shown: 'defaultRequest',
    why: (low, high) => `default request value ${low} is greater than default limit value ${high}`,
  },
  {
    low: 'min',
    high: 'default',
    field: 'default',
    shown: 'min',
    why: (low, high) => `min value ${low} is greater than default value ${high}`,
  },
  {
    low: 'default',
    high: 'max',
    field: 'default',
    shown: 'max',
    why: (low, high) => `default value ${low} is greater than max value ${high}`,
  },
];

function orderErrors(name: string, amounts: Amounts, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const { low, high, field, shown, why } of ORDERS) {
    const [lower, upper] = [amounts[low], amounts[high]];
    if (lower && upper && lower.compare(upper) > 0)
      errors.push(FieldErrors.invalid(`${path}.${field}[${name}]`, `${amounts[shown]}`, why(lower, upper)));
  }
  return errors;
}

const ONE = parseQuantity('1');

/** A limit is at most some multiple of a request. */
function ratioErrors(
  name: string,
  { maxLimitRequestRatio: ratio, min, max }: Amounts,
  path: string,
): readonly FieldError[] {
  if (!ratio) return NO_ERRORS;
  const at = `${path}.maxLimitRequestRatio[${name}]`;
  const bound = min && max ? max.toApproximateNumber() / min.toApproximateNumber() : undefined;
  return [
    ...invalidWhen(ratio.compare(ONE) < 0, at, `${ratio}`, `ratio ${ratio} is less than 1`),
    ...invalidWhen(
      bound !== undefined && ratio.toApproximateNumber() > bound,
      at,
      `${ratio}`,
      `ratio ${ratio} is greater than max/min = ${bound?.toFixed(6)}`,
    ),
  ];
}

/** Of what cannot be shared, requests are limits. */
function equalErrors(
  name: string,
  { default: limit, defaultRequest: request }: Amounts,
  isShared: boolean,
  path: string,
): readonly FieldError[] {
  if (isShared || !limit || !request || limit.compare(request) === 0) return NO_ERRORS;
  const why = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
  return [FieldErrors.invalid(`${path}.defaultRequest[${name}]`, `${request}`, why)];
}
