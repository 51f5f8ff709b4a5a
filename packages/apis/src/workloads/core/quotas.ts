import {
  type ApiObject,
  compareUtf8,
  type FieldError,
  FieldErrors,
  type JsonObject,
  jsonEqual,
  parseQuantity,
  type Vocabulary,
} from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { ageColumn, column, nameColumn } from '../../types/columns.ts';
import { each } from '../field-rules.ts';
import { limitRangeSchema } from '../shapes/core/limit-range.ts';
import { resourceQuotaSchema } from '../shapes/core/resource-quota.ts';
import { workloadType } from '../workload-type.ts';
import type { ResourceList } from './pod-types.ts';
import { amountErrors } from './resource-amounts.ts';

/** Limits of the resources of a namespace. */
export interface ResourceQuota extends ApiObject {
  readonly spec?: {
    readonly hard?: ResourceList;
    readonly scopes?: readonly string[];
    readonly scopeSelector?: {
      readonly matchExpressions?: readonly {
        readonly scopeName?: string;
        readonly operator?: string;
        readonly values?: readonly string[];
      }[];
    };
  };
  readonly status?: { readonly hard?: ResourceList; readonly used?: ResourceList };
}

/** Quotas; the plugin ResourceQuota enforces them (semantics/verbs#kinds, semantics/tables#built-in-columns). */
export function resourceQuotas(_vocabulary: Vocabulary): ResourceDefinition {
  const isLimit = (name: string): boolean => name.startsWith('limits.');
  return workloadType({
    group: '',
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    shortNames: ['quota'],
    scope: 'Namespaced',
    schema: resourceQuotaSchema,
    columns: [
      nameColumn,
      ageColumn,
      column('Request', 'What is used, of what may be.', (quota: ResourceQuota) =>
        usageText(quota, (name) => !isLimit(name)),
      ),
      column('Limit', 'The same of limits.', (quota: ResourceQuota) => usageText(quota, isLimit)),
    ],
    status: {
      validate: ({ status = {} }: ResourceQuota) => [
        ...hardErrors(status.hard, 'status.hard'),
        ...hardErrors(status.used, 'status.used'),
      ],
    },
    strategy: {
      returnsDeletedObject: true,
      validate: ({ spec }: ResourceQuota) => hardErrors(spec?.hard, 'spec.hard'),
      validateUpdate: ({ spec }: ResourceQuota, stored: ResourceQuota) => [
        ...hardErrors(spec?.hard, 'spec.hard'),
        ...(jsonEqual([...(spec?.scopes ?? [])].sort(), [...(stored.spec?.scopes ?? [])].sort())
          ? []
          : [FieldErrors.invalid('spec.scopes', spec?.scopes ?? null, 'field is immutable')]),
      ],
    },
  });
}

function usageText({ status = {} }: ResourceQuota, isShown: (name: string) => boolean): string {
  const { hard = {}, used = {} } = status;
  return Object.keys(hard)
    .filter(isShown)
    .sort(compareUtf8)
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
    .join(', ');
}

function hardErrors(amounts: ResourceList | undefined, path: string): readonly FieldError[] {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) => amountErrors(amount, `${path}[${name}]`));
}

/** Bounds and defaults of one type of object: `Container`, `Pod`, `PersistentVolumeClaim`. */
export interface LimitItem {
  readonly type?: string;
  readonly max?: ResourceList;
  readonly min?: ResourceList;
  readonly default?: ResourceList;
  readonly defaultRequest?: ResourceList;
  readonly maxLimitRequestRatio?: ResourceList;
}

/** Limits and defaults for objects of a namespace. */
export interface LimitRange extends ApiObject {
  readonly spec?: { readonly limits?: readonly LimitItem[] | null };
}

/** Limit ranges; the plugin LimitRanger enforces them (semantics/verbs#kinds). */
export function limitRanges(_vocabulary: Vocabulary): ResourceDefinition {
  const validate = ({ spec }: LimitRange): readonly FieldError[] => {
    const types = new Set<string>();
    return each('spec.limits', spec?.limits, (item, path) => {
      const { type = '' } = item;
      const isDuplicate = types.has(type);
      types.add(type);
      return [
        ...(type === '' ? [FieldErrors.required(`${path}.type`)] : []),
        ...(isDuplicate ? [FieldErrors.duplicate(`${path}.type`, type)] : []),
        ...boundErrors(item, path),
      ];
    });
  };
  return workloadType({
    group: '',
    kind: 'LimitRange',
    plural: 'limitranges',
    shortNames: ['limits'],
    scope: 'Namespaced',
    schema: limitRangeSchema,
    rules: { 'api.core.v1.LimitRangeItem': withLimits },
    strategy: { allowsCreateOnUpdate: true, validate, validateUpdate: validate },
  });
}

/** Of containers: a maximum is a default limit, a default limit and a minimum are default requests. */
function withLimits(item: JsonObject): JsonObject {
  const { type, max, min, default: limit, defaultRequest } = item as LimitItem;
  if (type !== 'Container') return item;
  const limits = { ...max, ...limit };
  const requests = { ...min, ...limits, ...defaultRequest };
  const sorted = (amounts: ResourceList): JsonObject =>
    Object.fromEntries(Object.entries(amounts).sort(([a], [b]) => compareUtf8(a, b)));
  return {
    ...item,
    ...(Object.keys(limits).length > 0 && { default: sorted(limits) }),
    ...(Object.keys(requests).length > 0 && { defaultRequest: sorted(requests) }),
  };
}

function boundErrors(item: LimitItem, path: string): readonly FieldError[] {
  const { min = {}, max = {}, default: limit = {}, defaultRequest = {} } = item;
  const above = (
    part: string,
    lower: ResourceList,
    upper: ResourceList,
    text: (low: string, high: string) => string,
    reported: ResourceList,
  ): readonly FieldError[] =>
    Object.entries(lower).flatMap(([name, low]) => {
      const high = upper[name];
      if (high === undefined || parseQuantity(low).compare(parseQuantity(high)) <= 0) return [];
      return [FieldErrors.invalid(`${path}.${part}[${name}]`, reported[name], text(low, high))];
    });
  return [
    ...above('min', min, max, (low, high) => `min value ${low} is greater than max value ${high}`, min),
    ...above(
      'defaultRequest',
      min,
      defaultRequest,
      (low, high) => `min value ${low} is greater than default request value ${high}`,
      defaultRequest,
    ),
    ...above(
      'defaultRequest',
      defaultRequest,
      max,
      (low, high) => `default request value ${low} is greater than max value ${high}`,
      defaultRequest,
    ),
    ...above(
      'defaultRequest',
      defaultRequest,
      limit,
      (low, high) => `default request value ${low} is greater than default limit value ${high}`,
      defaultRequest,
    ),
    ...above(
      'default',
      min,
      limit,
      (low, high) => `min value ${low} is greater than default value ${high}`,
      min,
    ),
    ...above(
      'default',
      limit,
      max,
      (low, high) => `default value ${low} is greater than max value ${high}`,
      max,
    ),
  ];
}
