import { compareUtf8 } from '@ashlar/core';
import type { FlowLevel } from '../levels/flow-level.ts';
import type { FlowState } from './flow-state.ts';
import { tableOf } from './table-of.ts';

const COLUMNS = [
  ...['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'IsQuiescing', 'WaitingRequests', 'ExecutingRequests'],
  ...['DispatchedRequests', 'RejectedRequests', 'TimedoutRequests', 'CancelledRequests'],
];

/** What each priority level does now, as lines of text (semantics/requests#flow-control-in-detail). */
export function dumpLevels({ levels }: Pick<FlowState, 'levels'>): string {
  const rows = [...levels].sort((a, b) => compareUtf8(a.name, b.name)).map(rowOf);
  return tableOf(COLUMNS, rows);
}

function rowOf(level: FlowLevel): readonly unknown[] {
  const active = [...level.queues.active.values()].filter((queue) => queue.waiting.length > 0);
  const { waiting, running, totals } = level.counts;
  const { dispatched, rejected, cancelled } = totals;
  const { name, isIdle, isQuiescing } = level;
  return [
    name,
    active.length,
    isIdle,
    isQuiescing,
    waiting,
    running.length,
    dispatched,
    rejected,
    NONE_TIMED_OUT,
    cancelled,
  ];
}

/** Release 1.32 counts requests that have waited too long as cancelled. */
const NONE_TIMED_OUT = 0;
