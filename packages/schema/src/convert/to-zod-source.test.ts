import type { Schema } from '@ashlar/core';
import fc from 'fast-check';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemas } from '../structural/schemas.fixture.ts';
import { fromZod } from './from-zod.ts';
import { toZodSource } from './to-zod-source.ts';

/** The exports of a module with the source. */
const run = (source: string): z.ZodType =>
  new Function('z', source.replace('export const some =', 'return'))(z) as z.ZodType;

const again = (schema: Schema): Schema => fromZod(run(toZodSource(schema, { name: 'some' })));

const SCHEMAS: readonly Schema[] = [
  { type: 'string', minLength: 1, maxLength: 5, pattern: '^a\\d+$' },
  { type: 'string', format: 'date-time', nullable: true },
  { type: 'integer', minimum: 1, maximum: 9, exclusiveMinimum: true, multipleOf: 2, default: 4 },
  { type: 'number', maximum: 1.5, title: 'Ratio' },
  { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 3 },
  { intOrString: true, description: 'A port.' },
  { preserveUnknownFields: true },
  { type: 'object', properties: {}, preserveUnknownFields: true, embeddedResource: true },
  { type: 'object', additionalProperties: { type: 'integer', format: 'int32' }, maxProperties: 3 },
  {
    type: 'array',
    listType: 'map',
    listMapKeys: ['name'],
    items: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      mapType: 'atomic',
    },
  },
  {
    type: 'object',
    properties: { __proto__x: { type: 'string' }, constructor: { type: 'string' as const } },
    validations: [{ rule: 'has(self.constructor)', message: "it's missing" }],
  },
];

describe('the zod source of a schema', () => {
  it('corresponds to the schema', () => {
    const schema: Schema = {
      type: 'object',
      description: 'Holds books.',
      properties: {
        size: { type: 'integer', minimum: 1, description: 'How many fit.' },
        'a-b': { type: 'string', enum: ['x', 'y'], default: 'x' },
        tags: { type: 'array', listType: 'set', items: { type: 'string', maxLength: 9 } },
      },
      required: ['size'],
    };
    expect(toZodSource(schema, { name: 'shelf' })).toBe(`/** Holds books. */
export const shelf = z.object({
  /** How many fit. */
  size: z.int().min(1).describe("How many fit."),
  "a-b": z.enum(["x", "y"]).default("x"),
  tags: z.array(z.string().max(9)).meta({ listType: "set" }).optional(),
}).describe("Holds books.");
`);
  });

  it.each(SCHEMAS.map((schema) => [schema] as const))('%j round-trips', (schema) => {
    expect(again(schema)).toEqual(schema);
  });

  it('does not support combinations', () => {
    const schema: Schema = {
      type: 'object',
      properties: { a: { type: 'string', anyOf: [{ minLength: 1 }] } },
    };
    expect(() => toZodSource(schema, { name: 'some' })).toThrow(
      new TypeError('schema of a: anyOf cannot be written as zod'),
    );
    const omitted: string[] = [];
    toZodSource(schema, { name: 'some', report: (path, keyword) => omitted.push(`${path} ${keyword}`) });
    expect(omitted).toEqual(['a anyOf']);
  });

  it('can be parsed for any schema', () => {
    fc.assert(
      fc.property(schemas, fc.string(), (schema, description) => {
        const text = toZodSource({ ...schema, description }, { name: 'some', report: () => {} });
        expect(parseAst(text).body).toHaveLength(1);
      }),
    );
  });
});
