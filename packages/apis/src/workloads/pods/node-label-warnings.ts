import type { Vocabulary } from '@ashlar/core';
import { firstWarnings } from '../../types/first-warnings.ts';
import type { NodeSelectorTerm } from './placement-types.ts';

/** What is said of a deprecated label of nodes; undefined for others. */
export function nodeLabelWarning(key: string, { labelDomain }: Vocabulary): string | undefined {
  const use = (since: string, name: string): string => `deprecated since v1.${since}; use "${name}" instead`;
  switch (key) {
    case `beta.${labelDomain}/arch`:
      return use('14', `${labelDomain}/arch`);
    case `beta.${labelDomain}/os`:
      return use('14', `${labelDomain}/os`);
    case `failure-domain.beta.${labelDomain}/region`:
      return use('17', `topology.${labelDomain}/region`);
    case `failure-domain.beta.${labelDomain}/zone`:
      return use('17', `topology.${labelDomain}/zone`);
    case `beta.${labelDomain}/instance-type`:
      return use('17', `node.${labelDomain}/instance-type`);
    case `app.${labelDomain}/created-by`:
      return 'deprecated since v1.9';
    case `scheduler.alpha.${labelDomain}/preferAvoidPods`:
      return 'deprecated since v1.22; use Taints and Tolerations instead';
    case `node-role.${labelDomain}/master`:
      return `use "node-role.${labelDomain}/control-plane" instead`;
    default:
      return undefined;
  }
}

/** Texts of Warning headers about deprecated labels in a selector of nodes. */
export function nodeSelectorTermWarnings(
  { matchExpressions = [] }: NodeSelectorTerm,
  vocabulary: Vocabulary,
  path: string,
): readonly string[] {
  return firstWarnings(matchExpressions.entries(), ([index, { key = '' }]) => {
    const why = nodeLabelWarning(key, vocabulary);
    return why === undefined ? [] : [`${path}.matchExpressions[${index}].key: ${key} is ${why}`];
  });
}
