import {
  type ApiObject,
  type FieldError,
  groupName,
  type Vocabulary,
  validateDnsSubdomain,
  validateObjectMeta,
} from '@ashlar/core';
import type { ColumnDefinition, ResourceDefinition } from '@ashlar/registry';
import { type ObjectReference, objectReference } from '../core/object-reference.ts';
import { builtInType } from '../types/built-in-type.ts';
import { kindSchema } from '../types/kind-schema.ts';
import { int32, microTime, optional, string, struct, time, type } from '../types/schema-fields.ts';
import type { Event, EventSeries, EventSource } from './event.ts';
import { eventColumns } from './event-columns.ts';
import { eventErrors, newEventErrors, newEventUpdateErrors } from './event-validation.ts';
import {
  type EventOptions,
  eventLease,
  eventSourceSchema,
  referenceFields,
  selectableEventField,
} from './events.ts';

/** An event about an object, in the form of the newer group. */
export interface NewEvent extends ApiObject {
  readonly eventTime?: string | null;
  readonly series?: EventSeries;
  readonly reportingController?: string;
  readonly reportingInstance?: string;
  readonly action?: string;
  readonly reason?: string;
  readonly regarding?: ObjectReference;
  readonly related?: ObjectReference;
  readonly note?: string;
  readonly type?: string;
  readonly deprecatedSource?: EventSource;
  readonly deprecatedFirstTimestamp?: string | null;
  readonly deprecatedLastTimestamp?: string | null;
  readonly deprecatedCount?: number;
}

const series = type(
  'api.events.v1.EventSeries',
  {
    count: { ...int32(1, 'How often it was seen.'), alwaysPrinted: true, default: 0 },
    lastObservedTime: microTime(2, 'When it was last seen.'),
  },
  { required: ['count', 'lastObservedTime'] },
);

const schema = kindSchema(
  'api.events.v1.Event',
  'Something that happened to an object.',
  {
    eventTime: microTime(2, 'When it was first seen.'),
    series: optional(struct(3, 'The series that it belongs to.', series)),
    reportingController: string(4, 'The controller that reported it.'),
    reportingInstance: string(5, 'The instance of that controller.'),
    action: string(6, 'What was done about it.'),
    reason: string(7, 'What happened, in one word.'),
    regarding: struct(8, 'The object.', objectReference),
    related: optional(struct(9, 'A second object that it has to do with.', objectReference)),
    note: string(10, 'What happened, for people.'),
    type: string(11, 'Normal or Warning.'),
    deprecatedSource: struct(12, 'Who reported it, in the words of the core group.', eventSourceSchema),
    deprecatedFirstTimestamp: time(13, 'When it was first seen, in the words of the core group.'),
    deprecatedLastTimestamp: time(14, 'When it was last seen, in the words of the core group.'),
    deprecatedCount: int32(15, 'How often it was seen, in the words of the core group.'),
  },
  { required: ['eventTime'] },
);

/** Events of the newer group: the same stored objects under other names and stricter rules (semantics/lifecycle#events-and-leases). */
export function newEvents(vocabulary: Vocabulary, options: EventOptions = {}): ResourceDefinition {
  const group = groupName(vocabulary, 'events.');
  const common = (event: Event): readonly FieldError[] =>
    eventErrors(event, vocabulary, 'reportingController');
  return builtInType({
    group,
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    formerVersions: ['v1', `${group}/v1beta1`],
    scope: 'Namespaced',
    storedAs: 'events',
    hashedAs: { group: '', version: 'v1' },
    version: {
      schema,
      columns: eventColumns.map(forNewEvents),
      selectableFields: {
        names: [...referenceFields('regarding'), 'reason', 'reportingController', 'type'],
        valueOf: (object, field) => selectableEventField(toStoredEvent(object), storedField(field)),
      },
      toStorage: toStoredEvent,
      fromStorage: (object) => fromStoredEvent(object, `${group}/v1`),
    },
    strategy: {
      namesKindWithoutGroup: true,
      ignoresPropagation: true,
      validateName: validateDnsSubdomain,
      allowsCreateOnUpdate: true,
      updateChecks: ['metadata-change'],
      checksMetadataLast: true,
      validate: (object) => {
        const stored = toStoredEvent(object);
        return [...common(stored), ...metadataErrors(object, vocabulary), ...newEventErrors(stored)];
      },
      validateUpdate: (object, stored) => {
        const before = toStoredEvent(stored);
        const after = toStoredEvent(object);
        return [...common(after), ...newEventUpdateErrors(after, before)];
      },
      leaseSeconds: () => eventLease(options),
    },
  });
}

function metadataErrors({ metadata }: ApiObject, vocabulary: Vocabulary): readonly FieldError[] {
  const rules = {
    namespaced: true,
    qualifiedFinalizers: true,
    validateName: validateDnsSubdomain,
    vocabulary,
  };
  return validateObjectMeta(metadata, rules);
}

function forNewEvents(definition: ColumnDefinition): ColumnDefinition {
  return { ...definition, cell: (object, now) => definition.cell(toStoredEvent(object), now) };
}

function storedField(field: string): string {
  if (field === 'reportingController') return 'reportingComponent';
  return field.replace(/^regarding\./, 'involvedObject.');
}

/** An event of the newer group in the stored form, its fields in their printed order. */
export function toStoredEvent(event: NewEvent): Event {
  return {
    ...present({ kind: event.kind, apiVersion: 'v1', metadata: event.metadata }),
    involvedObject: event.regarding ?? {},
    ...present({ reason: event.reason, message: event.note }),
    source: event.deprecatedSource ?? {},
    firstTimestamp: event.deprecatedFirstTimestamp ?? null,
    lastTimestamp: event.deprecatedLastTimestamp ?? null,
    ...present({ count: event.deprecatedCount, type: event.type }),
    eventTime: event.eventTime ?? null,
    ...present({
      series: event.series && storedSeries(event.series),
      action: event.action,
      related: event.related,
    }),
    reportingComponent: event.reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
  } as Event;
}

/** A stored event in the form of the newer group. */
export function fromStoredEvent(event: Event, apiVersion: string): NewEvent {
  const { reportingComponent, reportingInstance, series: recorded } = event;
  return {
    ...present({ kind: event.kind, apiVersion, metadata: event.metadata }),
    eventTime: event.eventTime ?? null,
    ...present({
      series: recorded && { count: recorded.count ?? 0, lastObservedTime: recorded.lastObservedTime ?? null },
      reportingController: reportingComponent,
      reportingInstance,
      action: event.action,
      reason: event.reason,
    }),
    regarding: event.involvedObject ?? {},
    ...present({ related: event.related, note: event.message, type: event.type }),
    deprecatedSource: event.source ?? {},
    deprecatedFirstTimestamp: event.firstTimestamp ?? null,
    deprecatedLastTimestamp: event.lastTimestamp ?? null,
    ...present({ deprecatedCount: event.count }),
  } as NewEvent;
}

function storedSeries({ count, lastObservedTime }: EventSeries): EventSeries {
  return { ...(count && { count }), lastObservedTime: lastObservedTime ?? null };
}

/** Returns the fields that are set: empty texts and zeros are omitted. */
function present(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== '' && value !== 0),
  );
}
