import { orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { compileStructural } from '../structural/structural.ts';
import { checkStructuralSchema } from '../structural/structural-check.ts';
import { fromZod } from './from-zod.ts';
import { toOpenApi } from './to-openapi.ts';

describe('patterns', () => {
  it.each<[z.ZodType, object]>([
    [z.string().regex(/^a\/\u00e9$/i), { type: 'string', pattern: '(?i)^a\\/\\x{00e9}$' }],
    [z.string().regex(/(?<year>\d+)/), { type: 'string', pattern: '(?P<year>\\d+)' }],
    [
      z
        .string()
        .regex(/^a/m)
        .regex(/\u{1F600}$/u),
      { type: 'string', allOf: [{ pattern: '(?m)^a' }, { pattern: '\\x{1F600}$' }] },
    ],
    [z.hostname(), { type: 'string', format: 'hostname' }],
  ])('are rewritten for an engine of linear time', (type, schema) => {
    expect(fromZod(type)).toEqual(schema);
  });
});

describe('fromZod', () => {
  it('converts descriptions, defaults, bounds and required fields', () => {
    const type = z.object({
      image: z.string().min(1).regex(/^a/).describe('What runs.'),
      replicas: z.int().min(0).default(1),
      size: z.number().gt(0).lt(9).optional(),
      mode: z.enum(['x', 'y']),
      labels: z.record(z.string(), z.string()).optional(),
    });
    expect(fromZod(type)).toEqual({
      type: 'object',
      properties: {
        image: { type: 'string', minLength: 1, pattern: '^a', description: 'What runs.' },
        replicas: { type: 'integer', minimum: 0, default: 1 },
        size: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
        mode: { type: 'string', enum: ['x', 'y'] },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['image', 'mode'],
    });
  });
  it('supports the mini form too', () => {
    expect(fromZod(mini.object({ a: mini.optional(mini.string()) }))).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    });
  });
  it('preserves unknown fields if the type does', () => {
    expect(fromZod(z.looseObject({ a: z.string() }))).toMatchObject({ preserveUnknownFields: true });
    expect(fromZod(z.record(z.string(), z.unknown()))).toEqual({
      type: 'object',
      preserveUnknownFields: true,
    });
    expect(fromZod(z.unknown())).toEqual({ preserveUnknownFields: true });
  });
  it('converts a union of integer and string to int-or-string', () => {
    expect(fromZod(z.union([z.int().min(1), z.string().regex(/%$/), z.null()]))).toEqual({
      intOrString: true,
      minimum: 1,
      pattern: '%$',
      nullable: true,
    });
  });
  it('reads extensions from metadata, and ignores names of types', () => {
    const port = z.object({ name: z.string() }).meta({ id: 'Port' });
    const type = z.object({
      ports: z.array(port).meta({ listType: 'map', listMapKeys: ['name'] }),
      other: port,
    });
    expect(fromZod(type).properties).toEqual({
      ports: { type: 'array', items: fromZod(port), listType: 'map', listMapKeys: ['name'] },
      other: fromZod(port),
    });
  });
  it('distinguishes the alternatives of a union by checks', () => {
    const type = z.object({
      source: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('git'), url: z.string() }),
        z.object({ kind: z.literal('file'), path: z.string() }),
      ]),
    });
    const schema = fromZod(type);
    expect(schema.properties?.source).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['git', 'file'] },
        url: { type: 'string' },
        path: { type: 'string' },
      },
      oneOf: [
        { properties: { kind: { enum: ['git'] } }, required: ['kind', 'url'] },
        { properties: { kind: { enum: ['file'] } }, required: ['kind', 'path'] },
      ],
    });
    const document = toOpenApi(schema, { vocabulary: orchVocabulary });
    expect(checkStructuralSchema(document, { vocabulary: orchVocabulary, path: '$' })).toEqual([]);
    const compiled = compileStructural(schema);
    for (const source of [
      { kind: 'git', url: 'x' },
      { kind: 'git' },
      { kind: 'file', path: 'x' },
      { kind: 'other' },
    ]) {
      const isValid = compiled.validate({ source }).length === 0;
      expect([source, isValid]).toEqual([source, type.safeParse({ source }).success]);
    }
  });
  it('allows null in enumerations', () => {
    const compiled = compileStructural(fromZod(z.object({ a: z.enum(['x']).nullable() })));
    expect(compiled.validate({ a: null })).toEqual([]);
    expect(compiled.validate({ a: 'x' })).toEqual([]);
    expect(compiled.validate({ a: 'y' })).not.toEqual([]);
  });
  it.each<[string, z.ZodType, string]>([
    ['a date', z.object({ d: z.date() }), 'zod type of d: a date has no form in JSON: use z.iso.datetime()'],
    [
      'a bigint far down',
      z.object({ a: z.array(z.object({ b: z.record(z.string(), z.bigint()) })) }),
      'zod type of a[].b{}',
    ],
    [
      'a union of types',
      z.object({ q: z.union([z.boolean(), z.string()]) }),
      'zod type of q: a union of boolean, string',
    ],
    ['a tuple', z.tuple([z.string()]), 'zod type of the root: a tuple cannot be expressed'],
    [
      'typed members besides others',
      z.object({ s: z.object({ a: z.string() }).catchall(z.number()) }),
      'zod type of s: members besides',
    ],
    ['no value', z.object({ n: z.never() }), 'zod type of n: no value is allowed'],
    ['null alone', z.object({ n: z.null() }), 'zod type of n: null alone'],
    ['a type that contains itself', z.object({ j: z.json() }), 'must not contain itself'],
  ])('rejects %s', (_, type, text) => {
    expect(() => fromZod(type)).toThrow(TypeError);
    expect(() => fromZod(type)).toThrow(text);
  });
});
