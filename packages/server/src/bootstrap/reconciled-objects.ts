import {
  type ApiObject,
  everyLabel,
  type JsonObject,
  parseFieldSelector,
  StatusError,
  undefinedIfNotFound,
} from '@ashlar/core';
import type { ServedResource } from '@ashlar/http';
import { objectOf, type RequestContext } from '@ashlar/registry';

/** Returns all objects of a type by their names. */
export async function storedObjects(
  { storage }: ServedResource,
  context: RequestContext,
): Promise<Map<string | undefined, ApiObject>> {
  const listed = await storage.list?.(context, { labels: everyLabel, fields: parseFieldSelector('') });
  return new Map((listed?.items ?? []).map(objectOf).map((object) => [object.metadata.name, object]));
}

/** Creates an object, or replaces the stored one. @throws StatusError */
export async function writeObject(
  { decoder, storage }: ServedResource,
  context: RequestContext,
  object: ApiObject,
  isNew: boolean,
): Promise<void> {
  const decoded = decoder.decode(object as unknown as JsonObject, {
    ...{ fieldValidation: 'Ignore', findings: [], warn: () => {} },
  });
  if (isNew) await storage.create?.(context, decoded);
  else await storage.update?.(context, { name: object.metadata.name ?? '', update: () => decoded });
}

/** Deletes an object, if it is still there. @throws StatusError */
export async function removeObject(
  { storage }: ServedResource,
  context: RequestContext,
  name: string,
): Promise<void> {
  try {
    await storage.delete?.(context, name, {});
  } catch (error) {
    undefinedIfNotFound(error);
  }
}

/** Runs a write. Another server, or an operator, that was faster is checked in the next round, if there is one. */
export async function unlessOvertaken(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!StatusError.is(error, 'AlreadyExists') && !StatusError.is(error, 'Conflict')) throw error;
  }
}
