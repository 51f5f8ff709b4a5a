// JSON schemas of the vectors, as the project's own.
import type { JsonValue, Schema } from '@ashlar/core';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'x-kubernetes-preserve-unknown-fields': 'preserveUnknownFields',
  'x-kubernetes-embedded-resource': 'embeddedResource',
  'x-kubernetes-int-or-string': 'intOrString',
  'x-kubernetes-list-type': 'listType',
  'x-kubernetes-list-map-keys': 'listMapKeys',
  'x-kubernetes-map-type': 'mapType',
  'x-kubernetes-validations': 'validations',
};

type Json = Readonly<Record<string, unknown>>;

/** A schema document in the notation of the model. */
export function toSchema(document: unknown): Schema {
  const schema: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(document as Json))
    schema[EXTENSIONS[key] ?? key] = convert(key, value);
  return schema as Schema;
}

function convert(key: string, value: unknown): unknown {
  switch (key) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(value as Json).map(([name, inner]) => [name, toSchema(inner)]),
      );
    case 'items':
    case 'not':
      return toSchema(value);
    case 'additionalProperties':
      return typeof value === 'boolean' ? value : toSchema(value);
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return (value as unknown[]).map(toSchema);
    default:
      return value;
  }
}

/** Parses the two markers for numbers of a document. */
export function toData(document: unknown): JsonValue {
  if (typeof document !== 'object' || document === null) return document as JsonValue;
  if (Array.isArray(document)) return document.map(toData);
  const [[key, value] = ['', undefined], ...rest] = Object.entries(document);
  if (rest.length === 0 && key === '$int') return wholeNumber(BigInt(value as string));
  if (rest.length === 0 && key === '$float') return Number(value);
  return Object.fromEntries(Object.entries(document).map(([name, inner]) => [name, toData(inner)]));
}

const wholeNumber = (value: bigint): JsonValue =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value;
