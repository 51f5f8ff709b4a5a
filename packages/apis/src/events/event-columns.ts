import { ageText, trimSpace } from '@ashlar/core';
import type { ColumnDefinition } from '@ashlar/registry';
import { column, nameColumn, wide } from '../types/columns.ts';
import type { Event } from './event.ts';

/** Columns of events, for their stored form (semantics/tables#built-in-columns). */
export const eventColumns: readonly ColumnDefinition[] = [
  column('Last Seen', 'Time since it was last seen.', lastSeen),
  column('Type', 'Normal or Warning.', ({ type = '' }: Event) => type),
  column('Reason', 'What happened, in one word.', ({ reason = '' }: Event) => reason),
  column('Object', 'What it happened to.', target),
  wide(
    column(
      'Subobject',
      'The part it happened to.',
      ({ involvedObject }: Event) => involvedObject?.fieldPath ?? '',
    ),
  ),
  wide(column('Source', 'Who reported it.', reporter)),
  column('Message', 'What happened, for people.', ({ message = '' }: Event) => trimSpace(message)),
  wide(column('First Seen', 'Time since it was first seen.', firstSeen)),
  wide(
    column('Count', 'How often it was seen.', ({ series, count }: Event) =>
      series ? (series.count ?? 0) : count || 1,
    ),
  ),
  wide(nameColumn),
];

function firstSeen({ firstTimestamp, eventTime }: Event, now: number): string {
  return ageText(firstTimestamp || eventTime, now);
}

function lastSeen(event: Event, now: number): string {
  if (event.series) return ageText(event.series.lastObservedTime, now);
  return event.lastTimestamp ? ageText(event.lastTimestamp, now) : firstSeen(event, now);
}

function target({ involvedObject: { kind = '', name = '' } = {} }: Event): string {
  return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`;
}

function reporter({ source, reportingComponent = '', reportingInstance = '' }: Event): string {
  const component = source?.component || reportingComponent;
  const instance = source?.host || reportingInstance;
  return instance === '' ? component : `${component}, ${instance}`;
}
