import { type JsonObject, kubernetesVocabulary, type Schema } from '@ashlar/core';
import { fromOpenApi } from '@ashlar/schema';
import { builtInSchema } from './built-in-schemas.ts';

/** A schema as recorded data spell it. */
export function recordedSchema(document: JsonObject): Schema {
  return fromOpenApi(document, { vocabulary: kubernetesVocabulary });
}

/** The schema of a kind's root with this `spec` and `status`. */
export function kindSchema(spec: Schema, status: Schema): Schema {
  const text: Schema = { type: 'string' };
  const metadata = builtInSchema('v1 ConfigMap').properties?.metadata ?? {};
  return { type: 'object', properties: { apiVersion: text, kind: text, metadata, spec, status } };
}
