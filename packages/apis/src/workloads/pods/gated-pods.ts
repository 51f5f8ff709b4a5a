import { type FieldError, FieldErrors, type JsonValue, jsonEqual } from '@ashlar/core';
import type { PodSpec } from '../core/pod-types.ts';
import { NO_ERRORS } from '../field-rules.ts';
import type { Affinity, NodeRequirement, NodeSelectorTerm } from './placement-types.ts';

// Pods that wait for a gate: where they may go can still become narrower.

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

const same = (a: unknown, b: unknown): boolean => jsonEqual(a as JsonValue, b as JsonValue);

/** The spec with the stored selector of nodes, for comparison with what must not change. */
export function gatedSpec(spec: PodSpec, was: PodSpec): PodSpec {
  const { nodeSelector: _, affinity, ...rest } = spec;
  const munged = storedNodeAffinity(affinity, was.affinity);
  return {
    ...rest,
    ...(was.nodeSelector && { nodeSelector: was.nodeSelector }),
    ...(munged && { affinity: munged }),
  };
}

function storedNodeAffinity(affinity: Affinity | undefined, was: Affinity | undefined): Affinity | undefined {
  if (same(affinity?.nodeAffinity, was?.nodeAffinity)) return affinity;
  const { nodeAffinity: _, ...others } = affinity ?? {};
  if (!was && Object.keys(others).length === 0) return undefined;
  return { ...others, ...(was?.nodeAffinity && { nodeAffinity: was.nodeAffinity }) };
}

/** Errors of a wider selector of nodes. */
export function gatedSpecErrors(spec: PodSpec, was: PodSpec): readonly FieldError[] {
  return [...selectorErrors(spec, was), ...affinityErrors(spec, was)];
}

function selectorErrors({ nodeSelector = {} }: PodSpec, was: PodSpec): readonly FieldError[] {
  const keepsSelector = Object.entries(was.nodeSelector ?? {}).every(
    ([key, value]) => nodeSelector[key] === value,
  );
  const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return keepsSelector ? NO_ERRORS : [FieldErrors.invalid('spec.nodeSelector', nodeSelector, why)];
}

function affinityErrors({ affinity }: PodSpec, was: PodSpec): readonly FieldError[] {
  const path = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;
  const before = was.affinity?.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? [];
  const terms = affinity?.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? [];
  if (before.length > 0 && before.length !== terms.length)
    return [
      FieldErrors.invalid(
        path,
        terms,
        'no additions/deletions to non-empty NodeSelectorTerms list are allowed',
      ),
    ];
  return before.flatMap((term, index) =>
    onlyAdds(terms[index] ?? {}, term)
      ? NO_ERRORS
      : [
          FieldErrors.invalid(
            `${path}[${index}]`,
            terms[index],
            'only additions are allowed (no mutations or deletions)',
          ),
        ],
  );
}

/** An empty term matches nothing and stays empty. */
function onlyAdds(term: NodeSelectorTerm, before: NodeSelectorTerm): boolean {
  const count = ({ matchExpressions, matchFields }: NodeSelectorTerm): number =>
    (matchExpressions?.length ?? 0) + (matchFields?.length ?? 0);
  if (count(before) === 0) return count(term) === 0;
  const begins = (list: readonly NodeRequirement[] = [], start: readonly NodeRequirement[] = []): boolean =>
    same(list.slice(0, start.length), start);
  return (
    begins(term.matchExpressions, before.matchExpressions) && begins(term.matchFields, before.matchFields)
  );
}
