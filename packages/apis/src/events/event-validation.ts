import {
  type FieldError,
  FieldErrors,
  type JsonValue,
  jsonEqual,
  qualifiedNameErrors,
  systemNamespace,
  utf8Length,
  type Vocabulary,
} from '@ashlar/core';
import { timeInMessage } from '../types/time-in-message.ts';
import type { Event } from './event.ts';

const SHORT_TEXT_BYTES = 128;
const MESSAGE_BYTES = 1024;

/**
 * Validates events of both groups; those with an exact time have more required fields
 * (semantics/lifecycle#events-and-leases).
 * @param controllerField the group's name of the reporting controller
 */
export function eventErrors(
  event: Event,
  vocabulary: Vocabulary,
  controllerField: 'reportingComponent' | 'reportingController',
): readonly FieldError[] {
  if (!event.eventTime) return namespaceErrors(event);
  const { reportingComponent = '', message = '' } = event;
  return [
    ...namespaceErrorsWithTime(event, vocabulary),
    ...(reportingComponent === '' ? [FieldErrors.required(controllerField)] : []),
    ...qualifiedNameErrors(reportingComponent).map((why) =>
      FieldErrors.invalid(controllerField, reportingComponent, why),
    ),
    ...(['reportingInstance', 'action', 'reason'] as const).flatMap((field) =>
      shortTextErrors(field, event[field] ?? ''),
    ),
    ...lengthErrors('message', message, MESSAGE_BYTES),
  ];
}

function namespaceErrors({ metadata, involvedObject }: Event): FieldError[] {
  const namespace = involvedObject?.namespace ?? '';
  const own = metadata.namespace ?? '';
  if (own === namespace || (namespace === '' && own === 'default')) return [];
  return [mismatch(namespace)];
}

function namespaceErrorsWithTime({ metadata, involvedObject }: Event, vocabulary: Vocabulary): FieldError[] {
  const own = metadata.namespace ?? '';
  if (involvedObject?.namespace || own === 'default' || own === systemNamespace(vocabulary, 'system'))
    return [];
  return [mismatch('')];
}

const mismatch = (namespace: string): FieldError =>
  FieldErrors.invalid('involvedObject.namespace', namespace, 'does not match event.namespace');

function shortTextErrors(field: string, text: string): FieldError[] {
  return text === '' ? [FieldErrors.required(field)] : lengthErrors(field, text, SHORT_TEXT_BYTES);
}

function lengthErrors(field: string, text: string, bytes: number): FieldError[] {
  return utf8Length(text) > bytes
    ? [FieldErrors.invalid(field, '', `can have at most ${bytes} characters`)]
    : [];
}

/** Additional validation of the newer group. Errors name the stored fields. */
export function newEventErrors(event: Event): readonly FieldError[] {
  const { type = '', source } = event;
  const unset = (field: string): FieldError => FieldErrors.invalid(field, '', 'needs to be unset');
  return [
    ...seriesErrors(event),
    ...(event.eventTime ? [] : [FieldErrors.required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning'
      ? []
      : [FieldErrors.invalid('type', '', `has invalid value: ${type}`)]),
    ...(event.firstTimestamp ? [unset('firstTimestamp')] : []),
    ...(event.lastTimestamp ? [unset('lastTimestamp')] : []),
    ...(event.count ? [unset('count')] : []),
    ...(source?.component || source?.host ? [unset('source')] : []),
  ];
}

function seriesErrors({ series }: Event): FieldError[] {
  if (!series) return [];
  return [
    ...((series.count ?? 0) < 2 ? [FieldErrors.invalid('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [FieldErrors.required('series.lastObservedTime')]),
  ];
}

/** Stored fields that the newer group never changes, with their names in errors, in order. */
const IMMUTABLE: readonly (readonly [field: keyof Event & string, told: string])[] = [
  ['involvedObject', 'involvedObject'],
  ['reason', 'reason'],
  ['message', 'message'],
  ['source', 'source'],
  ['firstTimestamp', 'firstTimestamp'],
  ['lastTimestamp', 'lastTimestamp'],
  ['count', 'count'],
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

/** The newer group allows updates of the series only. */
export function newEventUpdateErrors(event: Event, stored: Event): readonly FieldError[] {
  const changed = IMMUTABLE.filter(([field]) => !isSame(event, stored, field));
  return [
    ...(sameValue(event.series, stored.series) ? [] : seriesErrors(event)),
    ...changed.map(([field, reportedField]) =>
      FieldErrors.invalid(reportedField, printedField(event, field), 'field is immutable'),
    ),
  ];
}

/** An empty reference to a second object is not none. */
function isSame(event: Event, stored: Event, field: (typeof IMMUTABLE)[number][0]): boolean {
  if (field === 'related' && (event.related === undefined) !== (stored.related === undefined)) return false;
  return sameValue(event[field], stored[field]);
}

function printedField(event: Event, field: (typeof IMMUTABLE)[number][0]): unknown {
  switch (field) {
    case 'firstTimestamp':
    case 'lastTimestamp':
    case 'eventTime':
      return timeInMessage(event[field]);
    default:
      return event[field] ?? '';
  }
}

/** Absent, null, empty strings, zeros and empty objects are equal. */
function sameValue(a: unknown, b: unknown): boolean {
  return jsonEqual(orNull(a), orNull(b));
}

function orNull(value: unknown): JsonValue {
  const isEmptyObject = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return !value || isEmptyObject ? null : (value as JsonValue);
}
