import { type JsonObject, StatusError } from '@ashlar/core';
import type { ServedResource } from '@ashlar/http';
import { ITSELF } from '../assembly/loopback-identity.ts';
import { systemContext } from '../assembly/system-context.ts';

/** Creates cluster-scoped objects of a type, as the server itself; those that exist stay as they are. */
export async function createMissing(
  { decoder, storage, version }: ServedResource,
  objects: readonly JsonObject[],
): Promise<void> {
  for (const manifest of objects) {
    try {
      const object = decoder.decode(manifest, { fieldValidation: 'Ignore', findings: [], warn: () => {} });
      await storage.create?.(systemContext(ITSELF, '', version.name), object);
    } catch (error) {
      if (!StatusError.is(error, 'AlreadyExists')) throw error;
    }
  }
}
