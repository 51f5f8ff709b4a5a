import { type Clock, durationText } from '@ashlar/core';
import type { FlowLevel } from '../levels/flow-level.ts';
import type { FlowTicket } from '../levels/flow-ticket.ts';
import { queuesOf } from './dump-queues.ts';
import type { FlowState } from './flow-state.ts';
import { tableOf } from './table-of.ts';

const COLUMNS = [
  ...[
    'PriorityLevelName',
    'FlowSchemaName',
    'QueueIndex',
    'RequestIndexInQueue',
    'FlowDistingsher',
    'ArriveTime',
  ],
  ...['InitialSeats', 'FinalSeats', 'AdditionalLatency', 'StartTime'],
];
const DETAILS = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

/** What dumps of requests may say besides. */
export interface RequestDumpOptions {
  /** Tells when requests came. */
  readonly clock: Clock;
  /** Whether to say who asked for what. Default false. */
  readonly details?: boolean;
}

/** The requests that wait and those that have seats, as lines of text (semantics/requests#flow-control-in-detail). */
export function dumpRequests({ levels }: Pick<FlowState, 'levels'>, options: RequestDumpOptions): string {
  const rows = levels.flatMap((level) => [...waitingRows(level, options), ...runningRows(level, options)]);
  return tableOf(options.details ? [...COLUMNS, ...DETAILS] : COLUMNS, rows);
}

type Row = readonly unknown[];

function waitingRows(level: FlowLevel, options: RequestDumpOptions): readonly Row[] {
  const queued = queuesOf(level).flatMap(({ index, waiting }) =>
    [...waiting].map((ticket, position) => rowOf(ticket, [index, position], options)),
  );
  return [
    ...queued,
    ...level.heldBack.all.map((ticket, position) => rowOf(ticket, [NONE, position], options)),
  ];
}

function runningRows({ counts: { running } }: FlowLevel, options: RequestDumpOptions): readonly Row[] {
  return [...running].map((ticket) => rowOf(ticket, [ticket.queue?.index ?? NONE, NONE], options));
}

const NONE = -1;

function rowOf(
  ticket: FlowTicket,
  place: readonly number[],
  { clock, details = false }: RequestDumpOptions,
): Row {
  const { flowClass, level, flow, work, at, begun } = ticket;
  const { seats, finalSeats = 0, finalMilliseconds = 0 } = work;
  const row = [
    ...[level.name, flowClass.schema, ...place, flow.name, timeOf(at, clock), seats, finalSeats],
    ...[
      durationText(BigInt(Math.round(finalMilliseconds * 1_000_000))),
      begun === undefined ? NEVER : timeOf(begun, clock),
    ],
  ];
  return details ? [...row, ...detailsOf(ticket)] : row;
}

const NEVER = '0001-01-01T00:00:00Z';

/** @param at milliseconds of the monotonic clock */
function timeOf(at: number, clock: Clock): string {
  return new Date(clock.now() - (clock.monotonic() - at)).toISOString();
}

function detailsOf({ user, request }: FlowTicket): Row {
  const { verb, path, namespace, name, apiGroup, apiVersion, resource, subresource } = request;
  const version = apiGroup === '' ? apiVersion : `${apiGroup}/${apiVersion}`;
  return [user.name, verb, path, namespace, name, version, resource, subresource];
}
