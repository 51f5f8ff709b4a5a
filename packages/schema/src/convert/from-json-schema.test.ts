import { type JsonObject, type JsonValue, orchVocabulary as vocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromJsonSchema, fromOpenApiDocument } from './from-json-schema.ts';

const read = (document: JsonValue) => fromJsonSchema(document, { vocabulary });

describe('a JSON Schema', () => {
  it.each<[JsonObject, object]>([
    [
      { $ref: '#/$defs/size', $defs: { size: { type: ['integer', 'null'] } } },
      { type: 'integer', nullable: true },
    ],
    [
      {
        properties: { a: { $ref: '#/definitions/a~1b%20c', description: 'Mine.' } },
        definitions: { 'a/b c': { type: 'string', description: 'Theirs.' } },
      },
      { properties: { a: { type: 'string', description: 'Mine.' } } },
    ],
    [
      { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: true, maximum: 9 },
      { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
    ],
    [{ const: 'a', $schema: 'https://json-schema.org/draft/2020-12/schema' }, { enum: ['a'] }],
    [
      {
        type: 'array',
        items: { allOf: [{ $ref: '#/$defs/a' }], default: 'x' },
        $defs: { a: { type: 'string' } },
      },
      { type: 'array', items: { type: 'string', default: 'x' } },
    ],
    [
      { properties: { $ref: { type: 'string' }, const: { type: 'string' } } },
      { properties: { $ref: { type: 'string' }, const: { type: 'string' } } },
    ],
  ])('%j', (document, schema) => {
    expect(read(document)).toEqual(schema);
  });

  it.each<[JsonObject, string]>([
    [{ $ref: '#/$defs/a' }, '"#/$defs/a" leads to nothing'],
    [{ $ref: 'other.json#/a' }, '"other.json#/a" leads out of the document'],
    [{ $ref: '#' }, '"#" contains itself'],
    [{ type: ['integer', 'string'] }, 'the type must be one, not ["integer","string"]'],
    [{ patternProperties: {} }, 'schema of the root: the keyword "patternProperties" is not supported'],
  ])('%j is rejected: %s', (document, text) => {
    expect(() => read(document)).toThrow(new TypeError(text));
  });

  it('that grows without limit is rejected', () => {
    const $defs: Record<string, JsonValue> = { level0: { type: 'string' } };
    for (let i = 1; i < 60; i++) {
      const below = { $ref: `#/$defs/level${i - 1}` };
      $defs[`level${i}`] = { type: 'object', properties: { a: below, b: below } };
    }
    expect(() => read({ $ref: '#/$defs/level59', $defs })).toThrow('the schema has more than 100000 parts');
  });

  it('that is nested too deep is rejected', () => {
    let document: JsonObject = { type: 'string' };
    for (let i = 0; i < 20_000; i++) document = { type: 'array', items: document };
    expect(() => read(document)).toThrow('the schema is nested deeper than 500');
  });

  it('is converted or rejected, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('#', '#/a', '#/a/b', '#/%'), (value, $ref) => {
        try {
          fromJsonSchema(
            { a: value as JsonValue, $ref },
            { vocabulary, cycles: 'preserve', report: () => {} },
          );
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }),
    );
  });
});

describe('the schemas of an OpenAPI document', () => {
  const schemas: JsonObject = {
    Node: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        next: { allOf: [{ $ref: '#/components/schemas/Node' }], description: 'The next.' },
      },
    },
  };

  it('may be recursive on request', () => {
    const read = fromOpenApiDocument({ components: { schemas } }, { vocabulary, cycles: 'preserve' });
    expect(read.names).toEqual(['Node']);
    const inner = { type: 'object', preserveUnknownFields: true, description: 'The next.' };
    const { next } = read.schema('Node').properties ?? {};
    expect(next).toEqual({
      type: 'object',
      description: 'The next.',
      properties: { name: { type: 'string' }, next: inner },
    });
    expect(read.schema('Node')).toBe(read.schema('Node'));
  });

  it('may not be recursive by default', () => {
    const read = fromOpenApiDocument({ components: { schemas } }, { vocabulary });
    expect(() => read.schema('Node')).toThrow('"#/components/schemas/Node" contains itself');
    expect(() => read.schema('Other')).toThrow('the document has no schema "Other"');
  });

  it('are in another place in version 2', () => {
    const document = { definitions: { A: { $ref: '#/definitions/B' }, B: { type: 'string' } } };
    expect(fromOpenApiDocument(document, { vocabulary }).schema('A')).toEqual({ type: 'string' });
    expect(() => fromOpenApiDocument({}, { vocabulary })).toThrow('the document has no schemas');
  });
});
