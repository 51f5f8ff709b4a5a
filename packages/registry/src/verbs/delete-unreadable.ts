import { type ApiObject, FieldErrors, StatusError } from '@ashlar/core';
import { type ObjectRecord, UnreadableObjectError } from '@ashlar/storage';
import type { RequestContext } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';

/**
 * Removes an object that cannot be read (semantics/verbs#delete). Its finalizers are unknown, so nobody cleans up after it. Admission is
 * asked about an empty object of its kind.
 */
export async function deleteUnreadable(
  resource: StoredResource,
  context: RequestContext,
  name: string,
): Promise<void> {
  const key = resource.key(context.namespace, name);
  const options = context.signal ? { signal: context.signal } : {};
  const oldObject: ApiObject = {
    apiVersion: resource.apiVersion(context.version),
    kind: resource.definition.names.kind,
    metadata: {},
  };
  const question = resource.admissionRequest(context, 'DELETE', { name, oldObject });
  await resource.store.update(
    key,
    async (current) => {
      if (!current || isReadable(current)) throw notCorrupt(resource, name);
      await resource.admission.mutate(question);
      await resource.admission.validate(question);
      return { action: 'remove' };
    },
    options,
  );
}

function isReadable(record: ObjectRecord): boolean {
  if (record.fault) return false;
  try {
    record.decode();
    return true;
  } catch (error) {
    if (UnreadableObjectError.is(error)) return false;
    throw error;
  }
}

function notCorrupt({ groupResource: { group, resource } }: StoredResource, name: string): StatusError {
  const why = 'is exclusively used to delete corrupt object(s), try again by removing this option';
  return StatusError.invalid(group, resource, name, [
    FieldErrors.invalid('ignoreStoreReadErrorWithClusterBreakingPotential', true, why),
  ]);
}
