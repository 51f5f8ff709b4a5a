import {
  dns1123LabelErrors,
  type FieldError,
  FieldErrors,
  type LabelSelectorObject,
  qualifiedNameErrors,
  validateLabelSelector,
} from '@ashlar/core';
import { each, follows, forbiddenWhen, invalidWhen, NO_ERRORS, requiredWhen } from '../field-rules.ts';
import { nodeSelectorErrors, nodeSelectorTermErrors } from './node-selectors.ts';
import type { Affinity, PodAffinity, PodAffinityTerm } from './placement-types.ts';

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
    ...each(`${ofNodes}.${PREFERRED}`, nodeAffinity?.[PREFERRED], ({ weight, preference = {} }, at) => [
      ...weightErrors(weight, at),
      ...nodeSelectorTermErrors(preference, `${at}.preference`),
    ]),
    ...podAffinityErrors(podAffinity, `${path}.podAffinity`),
    ...podAffinityErrors(podAntiAffinity, `${path}.podAntiAffinity`),
  ];
}

const weightErrors = (weight = 0, path: string): readonly FieldError[] =>
  invalidWhen(weight <= 0 || weight > 100, `${path}.weight`, weight, 'must be in the range 1-100');

function podAffinityErrors(affinity: PodAffinity | undefined, path: string): readonly FieldError[] {
  if (!affinity) return NO_ERRORS;
  return [
    ...each(`${path}.${REQUIRED}`, affinity[REQUIRED], termErrors),
    ...each(`${path}.${PREFERRED}`, affinity[PREFERRED], ({ weight, podAffinityTerm = {} }, at) => [
      ...weightErrors(weight, at),
      ...termErrors(podAffinityTerm, `${at}.podAffinityTerm`),
    ]),
  ];
}

function termErrors(term: PodAffinityTerm, path: string): readonly FieldError[] {
  const { labelSelector, namespaceSelector, namespaces, topologyKey = '' } = term;
  return [
    ...validateLabelSelector(labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...(namespaces ?? []).flatMap((name) => follows(`${path}.namespace`, name, dns1123LabelErrors)),
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
  const different = new Set(mismatchLabelKeys);
  return [
    ...keysErrors(matchLabelKeys, labelSelector, `${path}.matchLabelKeys`),
    ...keysErrors(mismatchLabelKeys, labelSelector, `${path}.mismatchLabelKeys`),
    ...repeatedKeysErrors(matchLabelKeys, labelSelector ?? {}, path),
    ...each(`${path}.matchLabelKeys`, matchLabelKeys, (key, at) =>
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
  return each(path, keys, (key, at) => follows(at, key, qualifiedNameErrors));
}

/** New pods have the keys in their selector already: what stands there twice was in both. */
function repeatedKeysErrors(
  keys: readonly string[],
  { matchLabels = {}, matchExpressions = [] }: LabelSelectorObject,
  path: string,
): readonly FieldError[] {
  const seen = new Set(Object.keys(matchLabels));
  return matchExpressions.flatMap(({ key }) => {
    const index = keys.lastIndexOf(key);
    const isRepeated = index >= 0 && seen.has(key);
    seen.add(key);
    const why = 'exists in both matchLabelKeys and labelSelector';
    return isRepeated ? [FieldErrors.invalid(`${path}[${index}]`, key, why)] : [];
  });
}
