import { type JsonObject, StatusError } from '@ashlar/core';
import type { ServedResource } from '@ashlar/http';
import { systemContext } from '../assembly/system-context.ts';

/** Creates objects of a type, as the server itself; those that exist stay as they are. @param namespace empty for objects of the entire cluster */
export async function createMissing(
  served: ServedResource,
  objects: readonly JsonObject[],
  namespace = '',
): Promise<void> {
  const { decoder, storage } = served;
  for (const manifest of objects) {
    try {
      const object = decoder.decode(manifest, { fieldValidation: 'Ignore', findings: [], warn: () => {} });
      await storage.create?.(systemContext(served, namespace), object);
    } catch (error) {
      if (!StatusError.is(error, 'AlreadyExists')) throw error;
    }
  }
}
