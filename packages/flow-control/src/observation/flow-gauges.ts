import type { Metrics, Sample } from '@ashlar/core';
import type { FlowCounts } from '../levels/flow-class.ts';
import type { FlowLevel } from '../levels/flow-level.ts';
import type { FlowState } from './flow-state.ts';

type Gauge<T> = readonly [name: string, help: string, value: (of: T) => number];

const OF_LEVELS: readonly Gauge<FlowLevel>[] = [
  ['nominal_limit_seats', 'Seats of a priority level by its shares.', ({ limits }) => limits.nominal],
  ['lower_limit_seats', 'Seats of a level that are never lent.', ({ limits }) => limits.lower],
  ['upper_limit_seats', 'Seats that a level has at most.', ({ limits }) => limits.upper],
  [
    'current_limit_seats',
    'Seats of a level, with those borrowed and without those lent.',
    ({ current }) => current,
  ],
  [
    'demand_seats_high_watermark',
    'Seats that a level could use at most in the last period.',
    ({ demand }) => demand.highest,
  ],
  [
    'demand_seats_average',
    'Seats that a level could use on average in the last period.',
    ({ demand }) => demand.average,
  ],
  ['demand_seats_stdev', 'Standard deviation of that average.', ({ demand }) => demand.deviation],
  ['demand_seats_smoothed', 'Average and deviation over several periods.', ({ demand }) => demand.smoothed],
];

const OF_FLOWS: readonly Gauge<FlowCounts>[] = [
  ['current_executing_requests', 'Number of requests that have seats.', ({ executing }) => executing],
  ['current_executing_seats', 'Number of seats that are occupied.', ({ executingSeats }) => executingSeats],
  ['current_inqueue_requests', 'Number of requests that wait for seats.', ({ waiting }) => waiting],
  ['current_inqueue_seats', 'Number of seats that are waited for.', ({ waitingSeats }) => waitingSeats],
];

/** Registers what is read when metrics are collected (semantics/discovery#metrics). */
export function registerFlowGauges(metrics: Metrics, state: FlowState): void {
  for (const [name, help, value] of OF_LEVELS)
    metrics.gauge({ name: PREFIX + name, help, labels: ['priority_level'] }, () =>
      state.levels.map((level): Sample => ({ labels: [level.name], value: value(level) })),
    );
  for (const [name, help, value] of OF_FLOWS)
    metrics.gauge({ name: PREFIX + name, help, labels: ['flow_schema', 'priority_level'] }, () =>
      state.counts
        .filter(({ isUsed }) => isUsed)
        .map((counts): Sample => ({ labels: [counts.schema, counts.level], value: value(counts) })),
    );
}

const PREFIX = 'apiserver_flowcontrol_';
