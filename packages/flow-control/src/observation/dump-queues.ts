import type { FlowLevel } from '../levels/flow-level.ts';
import type { FlowTicket } from '../levels/flow-ticket.ts';
import type { FlowQueue } from '../queues/flow-queue.ts';
import type { FlowState } from './flow-state.ts';
import { tableOf } from './table-of.ts';

const COLUMNS = [
  ...['PriorityLevelName', 'Index', 'PendingRequests', 'ExecutingRequests', 'SeatsInUse', 'NextDispatchR'],
  ...['InitialSeatsSum', 'MaxSeatsSum', 'TotalWorkSum'],
];

/** The queues that have requests, as lines of text (semantics/requests#flow-control-in-detail). */
export function dumpQueues({ levels }: Pick<FlowState, 'levels'>): string {
  return tableOf(
    COLUMNS,
    levels.flatMap((level) => queuesOf(level).map((queue) => rowOf(level, queue))),
  );
}

/** The queues of a level that have requests, by number. */
export function queuesOf({ queues }: FlowLevel): readonly FlowQueue<FlowTicket>[] {
  return [...queues.active.values()].sort((a, b) => a.index - b.index);
}

function rowOf(level: FlowLevel, queue: FlowQueue<FlowTicket>): readonly unknown[] {
  const { index, waiting, executing, seats, nextDispatch, waitingSeats, waitingWork } = queue;
  const initial = [...waiting].reduce((sum, { work }) => sum + work.seats, 0);
  const [next, work] = [nextDispatch, waitingWork].map((value) => `${value.toFixed(8)}ss`);
  return [level.name, index, waiting.length, executing, seats, next, initial, waitingSeats, work];
}
