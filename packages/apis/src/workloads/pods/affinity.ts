import {
  dns1123LabelErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  type LabelSelectorObject,
  qualifiedNameErrors,
  type Steps,
  validateLabelSelector,
} from '@ashlar/core';
import { each, follows, forbiddenWhen, invalidWhen, NO_ERRORS, requiredWhen } from '../field-rules.ts';
import { ListRule } from '../list-rule.ts';
import { nodeSelectorAheadSteps, nodeSelectorErrors, nodeSelectorTermErrors } from './node-selectors.ts';
import type {
  Affinity,
  PodAffinity,
  PodAffinityTerm,
  PreferredNodes,
  PreferredPods,
} from './placement-types.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Errors of which nodes a pod wants, and beside which other pods. */
export function affinityErrors(affinity: Affinity | undefined, path: string): readonly FieldError[] {
  if (!affinity) return NO_ERRORS;
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  const ofNodes = `${path}.nodeAffinity`;
  const terms = nodeAffinity?.[REQUIRED];
  return [
    ...(terms ? nodeSelectorErrors(terms, `${ofNodes}.${REQUIRED}`) : NO_ERRORS),
    ...preferredNodes.errors(`${ofNodes}.${PREFERRED}`, nodeAffinity?.[PREFERRED]),
    ...podAffinityErrors(podAffinity, `${path}.podAffinity`),
    ...podAffinityErrors(podAntiAffinity, `${path}.podAntiAffinity`),
  ];
}

const weightErrors = (weight = 0, path: string): readonly FieldError[] =>
  invalidWhen(weight <= 0 || weight > 100, `${path}.weight`, weight, 'must be in the range 1-100');

const requiredTerms: ListRule<PodAffinityTerm> = new ListRule((term, path) => termErrors(term, path));

const preferredTerms: ListRule<PreferredPods> = new ListRule(({ weight, podAffinityTerm = {} }, path) => [
  ...weightErrors(weight, path),
  ...termErrors(podAffinityTerm, `${path}.podAffinityTerm`),
]);

const preferredNodes: ListRule<PreferredNodes> = new ListRule(({ weight, preference = {} }, path) => [
  ...weightErrors(weight, path),
  ...nodeSelectorTermErrors(preference, `${path}.preference`),
]);

const selectingKeys: ListRule<string> = new ListRule((key, path) => follows(path, key, qualifiedNameErrors));

/** Validates long lists with pauses: `affinityErrors` then knows their errors. */
export function* affinityAheadSteps(affinity: Affinity | undefined): Steps<void> {
  yield* nodeSelectorAheadSteps(affinity?.nodeAffinity?.[REQUIRED]);
  yield* preferredNodes.aheadSteps(affinity?.nodeAffinity?.[PREFERRED]);
  for (const terms of [affinity?.podAffinity, affinity?.podAntiAffinity]) {
    const preferred = terms?.[PREFERRED] ?? [];
    for (const term of terms?.[REQUIRED] ?? []) yield* keysAheadSteps(term);
    for (const { podAffinityTerm } of preferred) yield* keysAheadSteps(podAffinityTerm);
    yield* requiredTerms.aheadSteps(terms?.[REQUIRED]);
    yield* preferredTerms.aheadSteps(preferred);
  }
}

function* keysAheadSteps(term: PodAffinityTerm | undefined): Steps<void> {
  yield* selectingKeys.aheadSteps(term?.matchLabelKeys);
  yield* selectingKeys.aheadSteps(term?.mismatchLabelKeys);
}

function podAffinityErrors(affinity: PodAffinity | undefined, path: string): readonly FieldError[] {
  if (!affinity) return NO_ERRORS;
  return [
    ...requiredTerms.errors(`${path}.${REQUIRED}`, affinity[REQUIRED]),
    ...preferredTerms.errors(`${path}.${PREFERRED}`, affinity[PREFERRED]),
  ];
}

function termErrors(term: PodAffinityTerm, path: string): readonly FieldError[] {
  const { labelSelector, namespaceSelector, namespaces, topologyKey = '' } = term;
  return [
    ...validateLabelSelector(labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...fieldErrorsOf(namespaces ?? [], (name) => follows(`${path}.namespace`, name, dns1123LabelErrors)),
    ...labelKeysErrors(term, path),
    ...requiredWhen(topologyKey === '', `${path}.topologyKey`, 'can not be empty'),
    ...follows(`${path}.topologyKey`, topologyKey, qualifiedNameErrors),
  ];
}

/** Labels whose values must be equal or different, whatever they are. */
function labelKeysErrors(
  { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] }: PodAffinityTerm,
  path: string,
): readonly FieldError[] {
  const different = new Set(matchLabelKeys.length > 0 ? mismatchLabelKeys : []);
  const common = different.size > 0 ? matchLabelKeys : [];
  return [
    ...keysErrors(matchLabelKeys, labelSelector, `${path}.matchLabelKeys`),
    ...keysErrors(mismatchLabelKeys, labelSelector, `${path}.mismatchLabelKeys`),
    ...repeatedKeysErrors(matchLabelKeys, labelSelector ?? {}, path),
    ...each(`${path}.matchLabelKeys`, common, (key, at) =>
      invalidWhen(different.has(key), at, key, 'exists in both matchLabelKeys and mismatchLabelKeys'),
    ),
  ];
}

function keysErrors(
  keys: readonly string[],
  selector: LabelSelectorObject | undefined,
  path: string,
): readonly FieldError[] {
  if (keys.length === 0) return NO_ERRORS;
  if (!selector) return forbiddenWhen(true, path, 'must not be specified when labelSelector is not set');
  return selectingKeys.errors(path, keys);
}

/** New pods have the keys in their selector already: what stands there twice was in both. */
function repeatedKeysErrors(
  keys: readonly string[],
  { matchLabels = {}, matchExpressions = [] }: LabelSelectorObject,
  path: string,
): readonly FieldError[] {
  if (keys.length === 0 || matchExpressions.length === 0) return NO_ERRORS;
  const seen = new Set(Object.keys(matchLabels));
  const indexes = new Map(keys.map((key, index) => [key, index]));
  return fieldErrorsOf(matchExpressions, ({ key }) => {
    const index = indexes.get(key);
    const isRepeated = index !== undefined && seen.has(key);
    seen.add(key);
    const why = 'exists in both matchLabelKeys and labelSelector';
    return isRepeated ? [FieldErrors.invalid(`${path}[${index}]`, key, why)] : [];
  });
}
