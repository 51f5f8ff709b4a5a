import { partialObjectMetadataSchema, type Schema } from '@ashlar/core';
import type { Field } from './schema-fields.ts';

/** Returns the schema of a kind: `kind`, `apiVersion`, `metadata` and its own fields. */
export function kindSchema(
  typeName: string,
  description: string,
  fields: Readonly<Record<string, Field>>,
  more: Partial<Schema> = {},
): Schema {
  const properties = { ...partialObjectMetadataSchema.properties, ...fields };
  return { type: 'object', typeName, description, properties, ...more };
}
