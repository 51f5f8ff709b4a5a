import { groupName, type Schema, type Vocabulary, validatePathSegment } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { type ObjectReference, objectReference } from '../core/object-reference.ts';
import { builtInType } from '../types/built-in-type.ts';
import { kindSchema } from '../types/kind-schema.ts';
import { int32, microTime, optional, printed, string, struct, time, type } from '../types/schema-fields.ts';
import type { Event } from './event.ts';
import { eventColumns } from './event-columns.ts';
import { eventErrors } from './event-validation.ts';

/** Options of events in both groups. */
export interface EventOptions {
  /** Time to live after the last write, in seconds; one hour by default. */
  readonly eventTtlSeconds?: number;
}

const DEFAULT_TTL_SECONDS = 3600;

/** Schema of the source of events in both groups. */
export const eventSourceSchema: Schema = type('api.core.v1.EventSource', {
  component: string(1, 'The program that reported.'),
  host: string(2, 'Where it ran.'),
});

const series = type('api.core.v1.EventSeries', {
  count: int32(1, 'How often it was seen.'),
  lastObservedTime: microTime(2, 'When it was last seen.'),
});

const schema = kindSchema(
  'api.core.v1.Event',
  'Something that happened to an object.',
  {
    involvedObject: struct(2, 'The object.', objectReference),
    reason: string(3, 'What happened, in one word.'),
    message: string(4, 'What happened, for people.'),
    source: struct(5, 'Who reported it.', eventSourceSchema),
    firstTimestamp: time(6, 'When it was first seen.'),
    lastTimestamp: time(7, 'When it was last seen.'),
    count: int32(8, 'How often it was seen.'),
    type: string(9, 'Normal or Warning.'),
    eventTime: microTime(10, 'When it was first seen, exactly.'),
    series: optional(struct(11, 'The series that it belongs to.', series)),
    action: string(12, 'What was done about it.'),
    related: optional(struct(13, 'A second object that it has to do with.', objectReference)),
    reportingComponent: printed(string(14, 'The controller that reported it.')),
    reportingInstance: printed(string(15, 'The instance of that controller.')),
  },
  { required: ['metadata', 'involvedObject'] },
);

const REFERENCE_FIELDS = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
] as const;

/** Selectable fields of an object reference, by their full names. */
export function referenceFields(prefix: string): readonly string[] {
  return REFERENCE_FIELDS.map((name) => `${prefix}.${name}`);
}

/** Events of the core group: written by older reporters, so few fields are required. */
export function events(vocabulary: Vocabulary, options: EventOptions = {}): ResourceDefinition {
  const newGroup = groupName(vocabulary, 'events.');
  const validate = (object: Event): ReturnType<typeof eventErrors> =>
    eventErrors(object, vocabulary, 'reportingComponent');
  return builtInType({
    group: '',
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    formerVersions: [`${newGroup}/v1`, `${newGroup}/v1beta1`],
    scope: 'Namespaced',
    version: {
      schema,
      columns: eventColumns,
      selectableFields: {
        names: [...referenceFields('involvedObject'), 'reason', 'reportingComponent', 'source', 'type'],
        valueOf: selectableEventField,
      },
    },
    strategy: {
      namesKindWithoutGroup: true,
      ignoresPropagation: true,
      validateName: validatePathSegment,
      allowsCreateOnUpdate: true,
      checksMetadataLast: true,
      qualifiedFinalizers: false,
      updateChecks: [],
      validate,
      validateUpdate: validate,
      leaseSeconds: () => eventLease(options),
    },
  });
}

/** Time to live of an event in the store, in seconds. */
export function eventLease({ eventTtlSeconds = DEFAULT_TTL_SECONDS }: EventOptions): number {
  return eventTtlSeconds;
}

/** The value of a selectable field; `source` falls back to the reporting component. */
export function selectableEventField(event: Event, field: string): string {
  const [first = '', second] = field.split('.');
  if (second !== undefined) return event.involvedObject?.[second as keyof ObjectReference] ?? '';
  if (first === 'source') return event.source?.component || event.reportingComponent || '';
  const value = event[first];
  return typeof value === 'string' ? value : '';
}
