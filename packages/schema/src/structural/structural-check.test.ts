import {
  fieldErrorText,
  type JsonObject,
  type JsonValue,
  orchVocabulary,
  runAtOnce,
  type Steps,
} from '@ashlar/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCombinedSchemasSteps, isNestedTooDeepSteps } from './schema-depth.ts';
import { checkStructuralSchema, inspectStructuralSchemaSteps } from './structural-check.ts';

const check = (schema: JsonValue, statusSubresource = false): string[] =>
  checkStructuralSchema(schema, {
    vocabulary: orchVocabulary,
    path: '$',
    statusSubresource,
  }).map(fieldErrorText);

const checkField = (field: JsonObject): string[] =>
  check({ type: 'object', properties: { a: field } }).map((text) => text.replace('$.properties[a]', '@'));

describe('the root', () => {
  it.each<[JsonObject, string[]]>([
    [{ type: 'object' }, []],
    [{}, ['$.type: Required value: must not be empty at the root']],
    [{ type: 'object', nullable: true }, ['$.nullable: Forbidden: nullable cannot be true at the root']],
    [
      { type: 'object', additionalProperties: true },
      ['$.additionalProperties: Forbidden: must not be used at the root'],
    ],
    [
      {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
      },
      [
        '$.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    ],
    [{ type: 'object', $schema: 'x' }, [`$: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`]],
    [
      { type: 'object', anyOf: [{ properties: { x: { minLength: 1 } } }] },
      ['$.properties[x]: Required value: because it is defined in $.anyOf[0].properties[x]'],
    ],
  ])('%j', (schema, expected) => {
    expect(check(schema)).toEqual(expected);
  });
  it('accepts few keywords with a status subresource', () => {
    expect(check({ type: 'object', description: 'd', required: ['spec'] }, true)).toEqual([]);
    for (const more of [{ maxProperties: 1 }, { additionalProperties: false }, { enum: [] }, { $ref: '' }])
      expect(check({ type: 'object', ...more }, true)[0]).toMatch(
        /only \[Description Type .*\] fields are allowed/,
      );
    const zero = { format: '', nullable: false, uniqueItems: false, default: null };
    expect(check({ type: 'object', ...zero, required: [], properties: {} }, true)).toEqual([]);
  });
});

describe('a field', () => {
  it.each<[JsonObject, string[]]>([
    [{}, ['@.type: Required value: must not be empty for specified object fields']],
    [{ 'x-orch-preserve-unknown-fields': true }, []],
    [{ 'x-orch-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, []],
    [
      {
        'x-orch-int-or-string': true,
        anyOf: [
          { type: 'integer', allOf: [], enum: [] },
          { type: 'string', nullable: false },
        ],
      },
      [],
    ],
    [
      { 'x-orch-int-or-string': true, anyOf: [{ type: 'integer', required: [] }, { type: 'string' }] },
      [
        '@.anyOf[0].type: Forbidden: must be empty to be structural',
        '@.anyOf[1].type: Forbidden: must be empty to be structural',
      ],
    ],
    [
      {
        'x-orch-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'a' }],
      },
      [],
    ],
    [
      { type: 'string', anyOf: [{ type: 'string' }] },
      ['@.anyOf[0].type: Forbidden: must be empty to be structural'],
    ],
    [{ type: 'array' }, ['@.items: Required value: must be specified']],
    [
      { type: 'array', items: {} },
      ['@.items.type: Required value: must not be empty for specified array items'],
    ],
    [{ type: 'string', $ref: '#/x' }, ['@.$ref: Forbidden: $ref is not supported']],
    [
      { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } },
      ['@.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
    [
      { type: 'string', 'x-orch-list-type': 'set' },
      ['@.type: Invalid value: "string": must be array if x-orch-list-type is specified'],
    ],
    [
      { type: 'array', items: { type: 'object' }, 'x-orch-list-type': 'set' },
      [
        '@.items.x-orch-map-type: Invalid value: "null": must be atomic as item of a list with x-orch-list-type=set',
      ],
    ],
    [
      {
        type: 'array',
        items: { type: 'object', properties: { k: { type: 'string' } } },
        'x-orch-list-type': 'map',
        'x-orch-list-map-keys': ['k'],
      },
      [
        '@.items.properties[k].default: Required value: this property is in x-orch-list-map-keys, so it must have a default or be a required property',
      ],
    ],
    ...[null, [{ type: 'object' }]].map((items): [JsonObject, string[]] => [
      { type: 'array', items, 'x-orch-list-type': 'map', 'x-orch-list-map-keys': ['k'] },
      [
        items
          ? '@.items: Forbidden: items must be a schema object and not an array'
          : '@.items: Required value: must be specified',
        `@.items: Invalid value: apiextensions.JSONSchemaPropsOrArray{Schema:(*apiextensions.JSONSchemaProps)(nil), JSONSchemas:[]apiextensions.JSONSchemaProps${items ? '{…}' : '(nil)'}}: must only have a single schema if x-orch-list-type is map`,
      ],
    ]),
    [
      { type: 'string', pattern: '[' },
      [
        expect.stringMatching(
          /^@.pattern: Invalid value: "\[": must be a valid regular expression, but isn't: error parsing regexp/,
        ),
      ],
    ],
    [
      { type: 'integer', default: 'x' },
      ['@.default: Invalid value: "string":  in body must be of type integer: "string"'],
    ],
    [
      // a format that the value has says nothing of its type
      { type: 'string', format: 'int64', default: 2 },
      ['@.default: Invalid value: "integer":  in body must be of type string: "integer"'],
    ],
    [
      { type: 'string', format: 'int32', default: 2 },
      ['@.default: Invalid value: "int64":  in body must be of type int32: "int64"'],
    ],
    [
      { type: 'object', default: { c: 1 }, properties: { b: { type: 'string' } } },
      ['@.default: Invalid value: {"c":1}: must not have unknown fields'],
    ],
    [
      { type: 'object', default: {}, properties: { b: { type: 'string' } }, required: ['b'] },
      ['@.default.b: Required value'],
    ],
    [
      {
        type: 'object',
        'x-orch-embedded-resource': true,
        'x-orch-preserve-unknown-fields': true,
        properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: '..' } } } },
      },
      [
        expect.stringMatching(
          /^@.properties\[metadata\].properties\[name\].default: Invalid value: "..": must result in valid metadata: metadata.name: Invalid value/,
        ),
      ],
    ],
  ])('%j', (field, expected) => {
    expect(checkField(field)).toEqual(expected);
  });
});

describe('a default of another type', () => {
  it('has no unknown fields if it is a list of values, as recorded', () => {
    expect(checkField({ type: 'string', default: ['a', 'a'] })).toEqual([
      '@.default: Invalid value: "array":  in body must be of type string: "array"',
    ]);
    expect(checkField({ type: 'string', default: [{ a: 1 }] })[0]).toContain('must not have unknown fields');
  });
});

describe('the order of errors', () => {
  it('is that of the reference: what fits together is checked after the parts', () => {
    const rule = { rule: 'true', message: ' ' };
    const field = {
      type: 'object',
      uniqueItems: true,
      properties: {
        b: { type: 'string', 'x-orch-validations': [{ rule: 'true', fieldPath: '.c' }] },
        a: { type: 'string', id: 'x' },
      },
      'x-orch-map-type': 'other',
      'x-orch-validations': [rule],
    };
    expect(checkField(field).map((text) => text.split(': ')[0])).toEqual([
      '@.uniqueItems',
      '@.properties[b].x-orch-validations[0].fieldPath',
      '@.properties[a].id',
      '@.x-orch-map-type',
      '@.x-orch-validations[0].message',
    ]);
  });
});

describe('random documents', () => {
  it('are checked without an exception', () => {
    const keyword = fc.constantFrom(
      'type',
      'items',
      'properties',
      'anyOf',
      'not',
      'default',
      'additionalProperties',
      'required',
      'x-orch-list-type',
      'x-orch-list-map-keys',
      'pattern',
      'enum',
    );
    const { document } = fc.letrec<{ document: JsonValue }>((tie) => ({
      document: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<JsonValue>('object', 'array', 'map', 1, null, true, false),
        fc.array(tie('document'), { maxLength: 2 }),
        fc.dictionary(keyword, tie('document')),
      ),
    }));
    fc.assert(
      fc.property(document, (schema) => {
        expect(Array.isArray(check(schema))).toBe(true);
      }),
    );
  });

  it('accepts deep schemas and rejects those above the maximum depth', () => {
    const nested = (levels: number): JsonObject => {
      let schema: JsonObject = { type: 'string' };
      for (let level = 1; level < levels; level++) schema = { type: 'object', properties: { a: schema } };
      return schema;
    };
    expect(check(nested(256))).toEqual([]);
    for (const levels of [257, 10_000]) {
      expect(check(nested(levels))).toEqual([
        '$: Invalid value: "": must not be nested deeper than 256 levels',
      ]);
    }
  });
});

describe('a wide schema', () => {
  const fields = (count: number, field: JsonValue): JsonValue => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, field])),
  });
  const branches = (count: number): JsonValue => ({
    type: 'object',
    properties: { a: { type: 'string' } },
    anyOf: Array.from({ length: count }, () => ({ required: ['a'] })),
  });

  const namedParts = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i}`, {}]));

  it.each<[string, (count: number) => JsonValue]>([
    ['fields', (count) => fields(count, { type: 'string', default: 'a' })],
    ['fields without types', (count) => fields(count, {})],
    ['branches', branches],
    ['definitions', (count) => ({ type: 'object', definitions: namedParts(count) })],
    ['dependencies', (count) => ({ type: 'object', dependencies: namedParts(count) })],
    ['schemas of items', (count) => ({ type: 'object', items: Array.from({ length: count }, () => ({})) })],
  ])('is checked with pauses, of %s', (_, make) => {
    const pauses = (count: number): number => {
      const steps = inspectStructuralSchemaSteps(make(count), { vocabulary: orchVocabulary, path: 'schema' });
      let made = 0;
      while (!steps.next().done) made++;
      return made;
    };
    const [once, twice] = [pauses(4_000), pauses(8_000)];
    expect(once).toBeGreaterThan(50);
    expect(twice).toBeLessThan(2.5 * once);
  });

  it('is looked through with pauses for its depth, and for what it combines', () => {
    const made = (steps: Steps<unknown>): number => {
      let pauses = 0;
      while (!steps.next().done) pauses++;
      return pauses;
    };
    expect(made(isNestedTooDeepSteps({ definitions: namedParts(10_000) }))).toBe(19);
    expect(made(countCombinedSchemasSteps({ definitions: namedParts(10_000) }))).toBe(19);
    let reads = 0;
    const definitions = new Proxy(namedParts(10_000), {
      get(parts, name: string) {
        reads++;
        return parts[name];
      },
    });
    isNestedTooDeepSteps({ definitions }).next();
    expect(reads).toBeLessThan(600);
    const combined = {
      not: {},
      properties: { a: { allOf: [{}, { anyOf: [{}] }] } },
      items: [{ oneOf: [{}] }],
    };
    expect(runAtOnce(countCombinedSchemasSteps(combined))).toBe(5);
  });

  it('is checked with a pause after each pattern', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`p${i}`, { type: 'string', pattern: `^[a-z]+${i}$` }]),
    );
    const steps = inspectStructuralSchemaSteps(
      { type: 'object', properties },
      { vocabulary: orchVocabulary, path: 'schema' },
    );
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(pauses).toBeGreaterThan(50);
  });

  it('is checked with a pause after each pattern of a default', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`p${i}`, { type: 'string', pattern: `a${i}` }]),
    );
    const field = { type: 'object', properties, default: { p1: 'a1' } };
    const compiled: string[] = [];
    const compilePattern = (pattern: string): RegExp => {
      compiled.push(pattern);
      return /a/;
    };
    const steps = inspectStructuralSchemaSteps(
      { type: 'object', properties: { field } },
      {
        vocabulary: orchVocabulary,
        path: 'schema',
        compilePattern,
      },
    );
    let [before, atOnce] = [0, 0];
    for (const _ of steps) {
      atOnce = Math.max(atOnce, compiled.length - before);
      before = compiled.length;
    }
    expect([compiled.length, atOnce]).toEqual([100, 1]);
  });

  it('reports its first errors by their text', () => {
    const { errors } = runAtOnce(
      inspectStructuralSchemaSteps(fields(3_000, {}), { vocabulary: orchVocabulary, path: 'schema' }),
    );
    const names = Array.from({ length: 3_000 }, (_, i) => `schema.properties[f${i}].type`).sort();
    expect(errors.slice(0, 100).map(({ field }) => field)).toEqual(names.slice(0, 100));
  });
});
