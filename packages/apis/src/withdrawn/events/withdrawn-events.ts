import { type ApiObject, type FieldError, groupName, type Vocabulary } from '@ashlar/core';
import { storageVersion } from '@ashlar/registry';
import { eventErrors } from '../../events/event-validation.ts';
import { newEvents, toStoredEvent } from '../../events/events-events.ts';
import { revisedSchema } from '../revised-schema.ts';
import { type WithdrawnVersion, withdrawnVersion } from '../withdrawn-version.ts';

/** Events of the newer group before v1, to which only the rules of the core group apply. */
export function withdrawnEvents(vocabulary: Vocabulary): readonly WithdrawnVersion[] {
  const current = newEvents(vocabulary);
  const group = groupName(vocabulary, 'events.');
  const { schema } = storageVersion(current);
  const createErrors = (object: ApiObject): readonly FieldError[] =>
    eventErrors(toStoredEvent({ ...object, apiVersion: `${group}/v1` }), vocabulary, 'reportingController');
  return [
    withdrawnVersion(
      current,
      { version: 'v1beta1' },
      {
        schema: revisedSchema(schema, {}, ['api.events.v1.', 'api.events.v1beta1.']),
        createErrors,
      },
    ),
  ];
}
