import { type JsonObject, kubernetesVocabulary, type Schema } from '@ashlar/core';
import { fromOpenApi } from '@ashlar/schema';

/** A schema in recorded data. */
export function recordedSchema(document: JsonObject): Schema {
  return fromOpenApi(document, { vocabulary: kubernetesVocabulary });
}

/** The schema of a kind's root with this `spec` and `status`. */
export function kindSchema(spec: Schema, status: Schema): Schema {
  return { type: 'object', properties: { spec, status } };
}
