import type { JsonObject, JsonValue, Schema } from '@ashlar/core';
import { builtInSchema } from './built-in-schemas.ts';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'x-kubernetes-list-type': 'listType',
  'x-kubernetes-list-map-keys': 'listMapKeys',
  'x-kubernetes-map-type': 'mapType',
  'x-kubernetes-int-or-string': 'intOrString',
  'x-kubernetes-preserve-unknown-fields': 'preserveUnknownFields',
  'x-kubernetes-embedded-resource': 'embeddedResource',
};

const WITH_SCHEMAS = ['items', 'additionalProperties'];

/** A structural schema of a definition, as recorded data spell it. */
export function fromStructural(schema: JsonObject): Schema {
  const entries = Object.entries(schema).map(([key, value]) => [
    EXTENSIONS[key] ?? key,
    member(key, value as JsonValue),
  ]);
  return Object.fromEntries(entries) as Schema;
}

function member(key: string, value: JsonValue): unknown {
  if (key === 'properties') return mapSchemas(value as JsonObject);
  return WITH_SCHEMAS.includes(key) && typeof value === 'object'
    ? fromStructural(value as JsonObject)
    : value;
}

function mapSchemas(properties: JsonObject): Record<string, Schema> {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    fromStructural(schema as JsonObject),
  ]);
  return Object.fromEntries(entries) as Record<string, Schema>;
}

/** The schema of a kind's root with this `spec` and `status`. */
export function kindSchema(spec: Schema, status: Schema | undefined): Schema {
  const text: Schema = { type: 'string' };
  const metadata = builtInSchema('v1 ConfigMap').properties?.metadata ?? {};
  return {
    type: 'object',
    properties: { apiVersion: text, kind: text, metadata, spec, ...(status && { status }) },
  };
}
