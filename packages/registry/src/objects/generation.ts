import type { ApiObject } from '@ashlar/core';
import { withCanonicalMetadata } from './canonical-object.ts';

/** The object with the generation that follows the stored one: its desired state changed (semantics/metadata#generation). */
export function withNextGeneration(object: ApiObject, stored: ApiObject): ApiObject {
  return withCanonicalMetadata(object, { generation: (stored.metadata.generation ?? 0) + 1 });
}

/** The generation of an object whose deletion begins; kinds that count no generations stay without one. */
export function generationAtDeletion({ metadata: { generation } }: ApiObject): number | undefined {
  return generation && generation + 1;
}
