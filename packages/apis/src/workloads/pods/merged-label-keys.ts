import { type LabelSelectorObject, ownMember } from '@ashlar/core';
import type { PodSpec } from '../core/pod-types.ts';
import type { Affinity, PodAffinity, PodAffinityTerm } from './placement-types.ts';

type Labels = Readonly<Record<string, string>>;
type Requirements = NonNullable<LabelSelectorObject['matchExpressions']>;

/**
 * The spec of a new pod whose selectors of other pods also require its own values of the labels that their terms name: schedulers read
 * selectors only. A term without a selector matches nothing, and stays so.
 */
export function withMergedLabelKeys(spec: PodSpec, labels: Labels): PodSpec {
  const { affinity } = spec;
  if (!affinity?.podAffinity && !affinity?.podAntiAffinity) return spec;
  return { ...spec, affinity: mergedAffinity(affinity, labels) };
}

function mergedAffinity({ podAffinity, podAntiAffinity, ...affinity }: Affinity, labels: Labels): Affinity {
  return {
    ...affinity,
    ...(podAffinity && { podAffinity: mergedTerms(podAffinity, labels) }),
    ...(podAntiAffinity && { podAntiAffinity: mergedTerms(podAntiAffinity, labels) }),
  };
}

function mergedTerms(affinity: PodAffinity, labels: Labels): PodAffinity {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity;
  return {
    ...(required && {
      requiredDuringSchedulingIgnoredDuringExecution: required.map((term) => mergedTerm(term, labels)),
    }),
    ...(preferred && {
      preferredDuringSchedulingIgnoredDuringExecution: preferred.map((one) =>
        one.podAffinityTerm ? { ...one, podAffinityTerm: mergedTerm(one.podAffinityTerm, labels) } : one,
      ),
    }),
  };
}

function mergedTerm(term: PodAffinityTerm, labels: Labels): PodAffinityTerm {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  if (!labelSelector) return term;
  const added = [
    ...requirements(matchLabelKeys, 'In', labels),
    ...requirements(mismatchLabelKeys, 'NotIn', labels),
  ];
  if (added.length === 0) return term;
  const matchExpressions = [...(labelSelector.matchExpressions ?? []), ...added];
  return { ...term, labelSelector: { ...labelSelector, matchExpressions } };
}

/** Labels that the pod does not have are left out. A key that is repeated, maybe a million times, is one requirement in memory. */
function requirements(keys: readonly string[], operator: 'In' | 'NotIn', labels: Labels): Requirements {
  const known = new Map<string, Requirements[number]>();
  const requirementOf = (key: string, value: string): Requirements[number] => {
    const requirement = known.get(key) ?? { key, operator, values: [value] };
    known.set(key, requirement);
    return requirement;
  };
  const merged: Requirements[number][] = [];
  for (const key of keys) {
    const value = ownMember(labels, key);
    if (value !== undefined) merged.push(requirementOf(key, value));
  }
  return merged;
}
