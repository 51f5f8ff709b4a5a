import type { Schema } from '@ashlar/core';
import { objectMetaSchema } from './object-meta-schema.ts';
import { type Field, struct } from './schema-fields.ts';

/** The schema of a whole kind: `kind`, `apiVersion`, `metadata` and the fields of its own. */
export function kindSchema(
  typeName: string,
  description: string,
  fields: Readonly<Record<string, Field>>,
  more: Partial<Schema> = {},
): Schema {
  const properties: Record<string, Schema> = {
    kind: { type: 'string', description: 'The kind of this object.' },
    apiVersion: { type: 'string', description: 'The group and version in which this object is written.' },
    metadata: struct(1, 'What all objects have in common.', objectMetaSchema),
    ...fields,
  };
  return { type: 'object', typeName, description, properties, ...more };
}
