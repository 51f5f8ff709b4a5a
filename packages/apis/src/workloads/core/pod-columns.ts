import { ageText } from '@ashlar/core';
import type { ColumnDefinition, RowCondition } from '@ashlar/registry';
import { ageColumn, column, nameColumn, wide } from '../../types/columns.ts';
import { orElse } from '../cells.ts';
import { type PodState, podState } from './pod-state.ts';
import type { Pod } from './pod-types.ts';

/** Columns of pods (semantics/tables#built-in-columns). */
export const podColumns: readonly ColumnDefinition[] = [
  nameColumn,
  column('Ready', 'Containers that are ready, of all.', (pod: Pod) => {
    const { ready, total } = podState(pod);
    return `${ready}/${total}`;
  }),
  column('Status', 'How it is, in one word.', (pod: Pod) => podState(pod).reason),
  column('Restarts', 'How often its containers were started again, and when last.', (pod: Pod, now) =>
    restartsText(podState(pod), now),
  ),
  ageColumn,
  wide(column('IP', 'Its address.', ({ status }: Pod) => orElse(status?.podIPs?.[0]?.ip, '<none>'))),
  wide(column('Node', 'The node that it runs on.', ({ spec }: Pod) => orElse(spec?.nodeName, '<none>'))),
  wide(
    column('Nominated Node', 'The node that room is made on.', ({ status }: Pod) =>
      orElse(status?.nominatedNodeName, '<none>'),
    ),
  ),
  wide(column('Readiness Gates', 'Conditions that must hold besides, and how many do.', gatesText)),
];

function restartsText({ restarts, lastRestart }: PodState, now: number): string {
  return restarts > 0 && lastRestart ? `${restarts} (${ageText(lastRestart, now)} ago)` : `${restarts}`;
}

function gatesText({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const met = gates.filter(({ conditionType }) => {
    const condition = status?.conditions?.find(({ type }) => type === conditionType);
    return condition?.status === 'True';
  });
  return `${met.length}/${gates.length}`;
}

const MESSAGES: Readonly<Record<string, string>> = {
  Succeeded: 'The pod has completed successfully.',
  Failed: 'The pod failed.',
};

/** Marks the rows of finished pods (semantics/tables#shapes). */
export function podRowConditions({ status }: Pod): readonly RowCondition[] {
  const phase = status?.phase ?? '';
  const message = Object.hasOwn(MESSAGES, phase) ? MESSAGES[phase] : undefined;
  return message === undefined ? [] : [{ type: 'Completed', status: 'True', reason: phase, message }];
}
