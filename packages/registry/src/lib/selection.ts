import type { ApiObject } from '@ashlar/core';
import type { ObjectRecord } from '@ashlar/storage';
import { requireKnownFields } from './known-fields.ts';
import type { SelectableFields } from './resource-definition.ts';
import type { RequestContext, Selection } from './resource-storage.ts';
import type { StoredResource } from './stored-resource.ts';

/** Whether an object is among those that a request selects; undefined when it selects all. */
export type ObjectMatcher = (record: ObjectRecord) => boolean;

/**
 * Compiles the selectors of a request.
 * @throws StatusError 400 where a field is named that the kind does not know (semantics D2)
 */
export function compileSelection(
  resource: StoredResource,
  context: RequestContext,
  { labels, fields }: Selection,
): ObjectMatcher | undefined {
  const known = resource.version(context.version).selectableFields;
  requireKnownFields(resource.definition, resource.version(context.version), fields);
  const { isEmpty: allLabels } = labels;
  if (fields.isEmpty)
    return allLabels ? undefined : (record) => labels.matches(record.object.metadata.labels ?? {});
  const matchesFields = (record: ObjectRecord): boolean =>
    fields.matches((field) => fieldValue(resource.present(record, context.version), field, known));
  if (allLabels) return matchesFields;
  return (record) => labels.matches(record.object.metadata.labels ?? {}) && matchesFields(record);
}

function fieldValue(object: ApiObject, field: string, known: SelectableFields | undefined): string {
  if (field === 'metadata.name') return object.metadata.name ?? '';
  if (field === 'metadata.namespace') return object.metadata.namespace ?? '';
  return known?.valueOf(object, field) ?? '';
}
