import { describe, expect, it } from 'vitest';
import {
  deleteOptionsSchema,
  listMetaSchema,
  objectMetaSchema,
  partialObjectMetadataSchema,
  statusSchema,
  typeMetaProperties,
} from './meta-schema.ts';
import type { Schema } from './schema.ts';

const schemas: Readonly<Record<string, Schema>> = {
  objectMetaSchema,
  listMetaSchema,
  statusSchema,
  deleteOptionsSchema,
  partialObjectMetadataSchema,
};

/** All nested types of a schema by name. */
function typesOf(schema: Schema, found: Map<string, Schema> = new Map()): ReadonlyMap<string, Schema> {
  if (schema.properties) found.set(schema.typeName ?? '', schema);
  for (const part of Object.values(schema.properties ?? {})) typesOf(part.items ?? part, found);
  return found;
}

describe.each(Object.entries(schemas))('%s', (_, schema) => {
  const types = [...typesOf(schema)];

  it.each(types)('%s numbers every field once', (_, { properties = {} }) => {
    const numbered = Object.keys(properties).filter((name) => !Object.hasOwn(typeMetaProperties, name));
    const tags = numbered.map((name) => properties[name]?.tag);
    expect(tags).not.toContain(undefined);
    expect(new Set(tags).size).toBe(numbered.length);
  });

  it.each(types)('%s describes every field', (name, type) => {
    expect(name).toMatch(/^apimachinery\.pkg\.apis\.meta\.v1\.[A-Z]/);
    expect(type.description).toMatch(/\.$/);
    for (const part of Object.values(type.properties ?? {})) expect(part.description).toMatch(/\.$/);
  });
});

describe('descriptions by which conformance tests recognize', () => {
  it('the version of an object', () => {
    expect(typeMetaProperties.apiVersion?.description).toMatch(/^APIVersion defines /);
  });

  it('metadata and the time of creation', () => {
    expect(objectMetaSchema.description).toMatch(/^Standard object's metadata\b/);
    expect(objectMetaSchema.properties?.creationTimestamp?.description).toMatch(
      /^CreationTimestamp is a timestamp\b/,
    );
  });
});
