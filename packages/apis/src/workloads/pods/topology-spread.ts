import {
  choiceErrors,
  type FieldError,
  FieldErrors,
  qualifiedNameErrors,
  validateLabelSelector,
} from '@ashlar/core';
import { each, follows, forbiddenWhen, invalidWhen, NO_ERRORS, requiredWhen } from '../field-rules.ts';
import { ListRule } from '../list-rule.ts';
import type { TopologySpreadConstraint } from './placement-types.ts';

/** Errors of how pods are spread over zones, nodes and the like. */
export function topologySpreadErrors(
  constraints: readonly TopologySpreadConstraint[] | undefined,
  path: string,
): readonly FieldError[] {
  const pairs = (constraints ?? []).map(
    ({ topologyKey = '', whenUnsatisfiable = '' }) => `{${topologyKey}, ${whenUnsatisfiable}}`,
  );
  const lastOf = new Map(pairs.map((pair, index) => [pair, index]));
  return each(path, constraints, (constraint, at, index) => {
    const { maxSkew = 0, topologyKey, whenUnsatisfiable = '', labelSelector } = constraint;
    const pair = pairs[index] ?? '';
    const isRepeated = (lastOf.get(pair) ?? index) > index;
    return [
      ...invalidWhen(maxSkew <= 0, `${at}.maxSkew`, maxSkew, 'must be greater than zero'),
      ...requiredWhen(!topologyKey, `${at}.topologyKey`, 'can not be empty'),
      ...choiceErrors(`${at}.whenUnsatisfiable`, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']),
      ...(isRepeated ? [FieldErrors.duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair)] : NO_ERRORS),
      ...domainsErrors(constraint, `${at}.minDomains`),
      ...choiceErrors(`${at}.nodeAffinityPolicy`, constraint.nodeAffinityPolicy, ['Honor', 'Ignore']),
      ...choiceErrors(`${at}.nodeTaintsPolicy`, constraint.nodeTaintsPolicy, ['Honor', 'Ignore']),
      ...labelKeysErrors(constraint, `${at}.matchLabelKeys`),
      ...validateLabelSelector(labelSelector, `${at}.labelSelector`),
    ];
  });
}

function domainsErrors(
  { minDomains, whenUnsatisfiable = '' }: TopologySpreadConstraint,
  path: string,
): readonly FieldError[] {
  if (minDomains === undefined) return NO_ERRORS;
  return [
    ...invalidWhen(minDomains <= 0, path, minDomains, 'must be greater than zero'),
    ...invalidWhen(
      whenUnsatisfiable !== 'DoNotSchedule',
      path,
      minDomains,
      `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
    ),
  ];
}

/** Labels whose values are added to a selector that has none. */
export const spreadKeys: ListRule<string> = new ListRule((key, path) =>
  follows(path, key, qualifiedNameErrors),
);

function labelKeysErrors(
  { matchLabelKeys = [], labelSelector }: TopologySpreadConstraint,
  path: string,
): readonly FieldError[] {
  const { matchLabels = {}, matchExpressions = [] } = labelSelector ?? {};
  const selected = new Set([...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)]);
  const errorsOf = (key: string, at: string): readonly FieldError[] => [
    ...follows(at, key, qualifiedNameErrors),
    ...invalidWhen(selected.has(key), at, key, 'exists in both matchLabelKeys and labelSelector'),
  ];
  return [
    ...forbiddenWhen(
      matchLabelKeys.length > 0 && !labelSelector,
      path,
      'must not be specified when labelSelector is not set',
    ),
    ...(selected.size > 0 ? each(path, matchLabelKeys, errorsOf) : spreadKeys.errors(path, matchLabelKeys)),
  ];
}
