import { groupResourceText, type JsonValue, jsonEqual } from '@ashlar/core';
import type { RemainingContent } from './namespace-content.ts';

/** A condition of a namespace that is being deleted (semantics/lifecycle#namespaces). */
export interface NamespaceCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

/** Results of one attempt to delete the content of a namespace. */
export interface DeletionFindings {
  readonly remaining: readonly RemainingContent[];
  readonly failures: readonly string[];
}

type Verdict = Omit<NamespaceCondition, 'lastTransitionTime'>;

/** The conditions after a round of deletion; unchanged ones keep their time. */
export function deletionConditions(
  before: readonly NamespaceCondition[],
  findings: DeletionFindings,
  now: string,
): readonly NamespaceCondition[] {
  return verdicts(findings).map((verdict) => {
    const old = before.find(({ type }) => type === verdict.type);
    const lastTransitionTime = old?.status === verdict.status ? old.lastTransitionTime : now;
    return { ...verdict, lastTransitionTime };
  });
}

/** Whether two lists of conditions are equal except for their times. */
export function sameConditions(a: readonly NamespaceCondition[], b: readonly NamespaceCondition[]): boolean {
  const withoutTimes = ({ type, status, reason, message }: NamespaceCondition): JsonValue => ({
    type,
    status,
    reason,
    message,
  });
  return jsonEqual(a.map(withoutTimes), b.map(withoutTimes));
}

function verdicts({ remaining, failures }: DeletionFindings): Verdict[] {
  return [
    verdict(
      'NamespaceDeletionDiscoveryFailure',
      false,
      'ResourcesDiscovered',
      'All resources successfully discovered',
    ),
    verdict(
      'NamespaceDeletionGroupVersionParsingFailure',
      false,
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    failures.length === 0
      ? verdict(
          'NamespaceDeletionContentFailure',
          false,
          'ContentDeleted',
          'All content successfully deleted, may be waiting on finalization',
        )
      : verdict(
          'NamespaceDeletionContentFailure',
          true,
          'ContentDeletionFailed',
          `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(', ')}`,
        ),
    remaining.length === 0
      ? verdict('NamespaceContentRemaining', false, 'ContentRemoved', 'All content successfully removed')
      : verdict(
          'NamespaceContentRemaining',
          true,
          'SomeResourcesRemain',
          `Some resources are remaining: ${resourcesText(remaining)}`,
        ),
    finalizersVerdict(remaining),
  ];
}

const verdict = (type: string, isTrue: boolean, reason: string, message: string): Verdict => ({
  type,
  status: isTrue ? 'True' : 'False',
  reason,
  message,
});

/** Resources of the core group end with a dot, too. */
function resourcesText(remaining: readonly RemainingContent[]): string {
  const texts = remaining.map(({ reference, count }) => {
    const name = reference.group === '' ? `${reference.resource}.` : groupResourceText(reference);
    return `${name} has ${count} resource instances`;
  });
  return texts.sort().join(', ');
}

function finalizersVerdict(remaining: readonly RemainingContent[]): Verdict {
  const totals = new Map<string, number>();
  for (const { finalizers } of remaining) {
    for (const [name, count] of finalizers) totals.set(name, (totals.get(name) ?? 0) + count);
  }
  const type = 'NamespaceFinalizersRemaining';
  if (totals.size === 0)
    return verdict(type, false, 'ContentHasNoFinalizers', 'All content-preserving finalizers finished');
  const texts = [...totals].sort().map(([name, count]) => `${name} in ${count} resource instances`);
  const message = `Some content in the namespace has finalizers remaining: ${texts.join(', ')}`;
  return verdict(type, true, 'SomeFinalizersRemain', message);
}
