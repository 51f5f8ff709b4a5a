import { type JsonObject, StatusError } from '@ashlar/core';
import type { ServedResource } from '@ashlar/http';
import { systemContext } from '../assembly/system-context.ts';

/** Where and how objects are created. */
interface CreationOptions {
  /** By default they are objects of the entire cluster. */
  readonly namespace?: string;
  /** What the server owns of each, as `fieldsV1`, if that is known. */
  readonly ownedFields?: JsonObject;
}

/** Creates objects of a type, as the server itself; those that exist stay as they are. */
export async function createMissing(
  served: ServedResource,
  objects: readonly JsonObject[],
  { namespace = '', ownedFields }: CreationOptions = {},
): Promise<void> {
  const { decoder, storage } = served;
  const context = { ...systemContext(served, namespace), ...(ownedFields && { ownedFields }) };
  for (const manifest of objects) {
    try {
      const object = decoder.decode(manifest, { fieldValidation: 'Ignore', findings: [], warn: () => {} });
      await storage.create?.(context, object);
    } catch (error) {
      if (!StatusError.is(error, 'AlreadyExists')) throw error;
    }
  }
}
