import { type JsonValue, jsonEqual, type Vocabulary } from '@ashlar/core';
import type { NodeRequirement, NodeSelector } from '../pods/placement-types.ts';

/** On which nodes a volume of the cluster can be used. */
interface VolumeNodeAffinity {
  readonly required?: NodeSelector;
}

/** Labels of nodes that were renamed once they were stable. */
function stableLabels({ labelDomain }: Vocabulary): ReadonlyMap<string, string> {
  return new Map([
    [`failure-domain.beta.${labelDomain}/zone`, `topology.${labelDomain}/zone`],
    [`failure-domain.beta.${labelDomain}/region`, `topology.${labelDomain}/region`],
    [`beta.${labelDomain}/os`, `${labelDomain}/os`],
    [`beta.${labelDomain}/arch`, `${labelDomain}/arch`],
    [`beta.${labelDomain}/instance-type`, `node.${labelDomain}/instance-type`],
  ]);
}

/** Whether a volume can be used on the same nodes as before: labels that were renamed may take their new name. */
export function isSameNodeAffinity(
  affinity: VolumeNodeAffinity | undefined,
  before: VolumeNodeAffinity,
  vocabulary: Vocabulary,
): boolean {
  const names = stableLabels(vocabulary);
  const terms = affinity?.required?.nodeSelectorTerms ?? [];
  const nodeSelectorTerms = before.required?.nodeSelectorTerms?.map((term, index) => ({
    ...term,
    ...renamed('matchExpressions', term.matchExpressions, terms[index]?.matchExpressions, names),
    ...renamed('matchFields', term.matchFields, terms[index]?.matchFields, names),
  }));
  const moved = before.required ? { required: { ...before.required, nodeSelectorTerms } } : before;
  return jsonEqual(affinity as JsonValue | undefined, moved as unknown as JsonValue);
}

/** Requirements before, with the new names that those at the same places have. */
function renamed(
  field: string,
  before: readonly NodeRequirement[] | undefined,
  requirements: readonly NodeRequirement[] | undefined,
  names: ReadonlyMap<string, string>,
): object {
  if (!before) return {};
  const changed = before.map((requirement, index) => {
    const { key = '' } = requirement;
    const next = requirements?.[index]?.key;
    return next !== undefined && names.get(key) === next ? { ...requirement, key: next } : requirement;
  });
  return { [field]: changed };
}
