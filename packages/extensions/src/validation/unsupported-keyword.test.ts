import type { JsonObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { unsupportedKeyword } from './unsupported-keyword.ts';

describe('unsupportedKeyword', () => {
  it.each<[string, JsonObject, string]>([
    ['itself', { $ref: '#/x' }, "OpenAPIV3Schema '$ref' is not supported"],
    [
      'a property',
      { properties: { a: {}, b: { $schema: 'x' } } },
      "OpenAPIV3Schema 'schema' is not supported",
    ],
    ['the items', { items: { id: 'x' } }, "OpenAPIV3Schema 'id' is not supported"],
    [
      'the values of a map',
      { additionalProperties: { definitions: { a: {} } } },
      "OpenAPIV3Schema 'definitions' is not supported",
    ],
    [
      'a combination',
      { anyOf: [{}, { not: { dependencies: { a: {} } } }] },
      "OpenAPIV3Schema 'dependencies' is not supported",
    ],
    [
      'an empty schema of more items',
      { additionalItems: {} },
      "OpenAPIV3Schema 'additionalItems' is not supported",
    ],
    ['a list of items', { items: [{}] }, "OpenAPIV3Schema 'items' must be a schema, but is an array"],
    [
      'fields that are not preserved, after the combinations',
      { 'x-orch-preserve-unknown-fields': false, items: [{}], not: {} },
      "internal error: 'x-orch-preserve-unknown-fields' must be true or undefined",
    ],
    ['the first of several', { $ref: 'x', id: 'y' }, "OpenAPIV3Schema 'id' is not supported"],
  ])('is found in %s', (_, schema, why) => {
    expect(unsupportedKeyword(schema, 'x-orch-')).toBe(why);
  });

  it.each<[JsonObject]>([
    [{ $ref: '', patternProperties: {}, additionalProperties: true }],
    [{ type: 'object', properties: { id: { type: 'string' } } }],
  ])('is not found in %j', (schema) => {
    expect(unsupportedKeyword(schema, 'x-orch-')).toBeUndefined();
  });
});
