import { fieldErrorText, type JsonObject, type JsonValue, runAtOnce, type Schema } from '@ashlar/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileStructural } from './structural.ts';

function compileSpec(spec: Schema): ReturnType<typeof compileStructural> {
  return compileStructural({ type: 'object', properties: { spec } });
}

const texts = (spec: Schema, value: JsonValue): string[] =>
  compileSpec(spec).validate({ spec: value }).map(fieldErrorText);

function pruned(spec: Schema, value: JsonValue): { value: unknown; paths: string[] } {
  const paths: string[] = [];
  const result = compileSpec(spec).prune({ spec: value }, (path) => paths.push(path)) as JsonObject;
  return { value: result.spec, paths };
}

const defaulted = (spec: Schema, value: JsonValue): unknown =>
  (compileSpec(spec).applyDefaults({ spec: value }) as JsonObject).spec;

describe('pruning', () => {
  const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
    type: 'object',
    properties,
    ...more,
  });
  const text: Schema = { type: 'string' };

  it('drops unknown fields and reports them sorted', () => {
    const schema = object({ list: { type: 'array', items: object({ a: text }) }, a: text });
    expect(pruned(schema, { z: 1, list: [{ a: '', b: 1 }, { c: 1 }], a: 'x' })).toEqual({
      value: { list: [{ a: '' }, {}], a: 'x' },
      paths: ['spec.list[0].b', 'spec.list[1].c', 'spec.z'],
    });
  });
  it('keeps the fields of every object', () => {
    const value = { apiVersion: 'v1', kind: 'K', metadata: { name: 'a' }, spec: {} };
    expect(compileSpec(object({})).prune(value, () => {})).toBe(value);
  });
  it('keeps the keys of maps and prunes inside them', () => {
    expect(pruned({ type: 'object', additionalProperties: object({ a: text }) }, { m: { b: 1 } })).toEqual({
      value: { m: {} },
      paths: ['spec.m.b'],
    });
    expect(
      pruned({ type: 'object', additionalProperties: true }, { m: { b: 1 }, n: 1, o: [[{ p: 1 }]] }),
    ).toEqual({
      value: { m: {}, n: 1, o: [[{}]] },
      paths: ['spec.m.b', 'spec.o[0][0].p'],
    });
  });
  it('keeps everything where unknown fields are preserved, except below declared ones', () => {
    const schema = object({ known: object({ a: text }) }, { preserveUnknownFields: true });
    expect(pruned(schema, { free: { x: [1] }, known: { b: 1 } })).toEqual({
      value: { free: { x: [1] }, known: {} },
      paths: ['spec.known.b'],
    });
  });
  it('handles any depth of a value without a schema', () => {
    let value: JsonValue = 1;
    for (let i = 0; i < 9000; i++) value = [value];
    expect(pruned({ type: 'object', additionalProperties: true }, { deep: value }).paths).toEqual([]);
  });
});

describe('defaults', () => {
  it('fills in absent values, from the top down', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        a: { type: 'string', default: 'A' },
        o: {
          type: 'object',
          default: { x: 5 },
          properties: { x: { type: 'integer', default: 1 }, y: { default: 2 } },
        },
        p: { type: 'object', properties: { x: { type: 'integer', default: 1 } } },
      },
    };
    expect(defaulted(schema, {})).toEqual({ a: 'A', o: { x: 5, y: 2 } });
    expect(defaulted(schema, { a: '', o: {}, p: {} })).toEqual({ a: '', o: { x: 1, y: 2 }, p: { x: 1 } });
  });
  it('drops or replaces null, unless it is nullable', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'string', default: 'B' },
        c: { type: 'string', nullable: true, default: 'C' },
      },
    };
    expect(defaulted(schema, { a: null, b: null, c: null, d: null })).toEqual({ b: 'B', c: null, d: null });
  });
  it('only drops null, if nothing is to be defaulted', () => {
    const nullable: Schema = { type: 'string', nullable: true };
    const spec: Schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string', default: 'B' }, c: nullable },
    };
    const schema = compileSpec(spec);
    const dropped = (value: JsonValue): JsonValue => runAtOnce(schema.dropNullsSteps({ spec: value }));
    expect(dropped({ a: null, b: null, c: null, d: null })).toEqual({ spec: { b: null, c: null, d: null } });
    expect(dropped({ a: 'x' })).toEqual({ spec: { a: 'x' } });
  });
  it('replaces null items with the default of items, and keeps null without one', () => {
    expect(defaulted({ type: 'array', items: { type: 'string', default: 'x' } }, [null, 'a'])).toEqual([
      'x',
      'a',
    ]);
    expect(defaulted({ type: 'array', items: { type: 'string' } }, [null])).toEqual([null]);
  });
  it('returns complete values themselves', () => {
    const value = { spec: { a: 'x', list: [{ b: 1 }] } };
    const schema: Schema = { type: 'object', properties: { a: { type: 'string', default: 'A' } } };
    expect(compileSpec(schema).applyDefaults(value)).toBe(value);
  });
});

describe('validation', () => {
  it.each<[Schema, JsonValue, string[]]>([
    [
      { type: 'integer' },
      'a',
      ['spec: Invalid value: "string": spec in body must be of type integer: "string"'],
    ],
    [
      { type: 'integer' },
      1.5,
      ['spec: Invalid value: "number": spec in body must be of type integer: "number"'],
    ],
    [{ type: 'number' }, 1, []],
    [
      { intOrString: true },
      true,
      ['spec: Invalid value: "boolean": spec in body must be of type integer,string: "boolean"'],
    ],
    [{ type: 'string' }, null, ['spec: Invalid value: "null": spec in body must be of type string: "null"']],
    [{ type: 'string', nullable: true }, null, []],
    [{ type: 'object', required: ['a'] }, {}, ['spec.a: Required value']],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', ['spec: Unsupported value: "c": supported values: "a", "b"']],
    [{ type: 'integer', enum: [1, 2] }, 3, ['spec: Unsupported value: 3: supported values: "1", "2"']],
    [{ type: 'string', maxLength: 2 }, 'ä💥c', ['spec: Too long: may not be more than 2 bytes']],
    [{ type: 'string', maxLength: 3, minLength: 3 }, 'ä💥c', []],
    [
      { type: 'string', minLength: 1 },
      '',
      ['spec: Invalid value: "": spec in body should be at least 1 chars long'],
    ],
    [{ type: 'string', pattern: '^a' }, 'ba', [`spec: Invalid value: "ba": spec in body should match '^a'`]],
    [
      { type: 'integer', minimum: 1 },
      0,
      ['spec: Invalid value: 0: spec in body should be greater than or equal to 1'],
    ],
    [
      { type: 'number', maximum: 1, exclusiveMaximum: true },
      1,
      ['spec: Invalid value: 1: spec in body should be less than 1'],
    ],
    [
      { type: 'number', maximum: 2.5 },
      2.6,
      ['spec: Invalid value: 2.6: spec in body should be less than or equal to 2.5'],
    ],
    [
      { type: 'number', multipleOf: 0.1 },
      0.35,
      ['spec: Invalid value: 0.35: spec in body should be a multiple of 0.1'],
    ],
    [{ type: 'number', multipleOf: 0.1 }, 0.3, []],
    [{ type: 'array', items: {}, maxItems: 1 }, [1, 2], ['spec: Too many: 2: must have at most 1 items']],
    [
      { type: 'array', items: {}, minItems: 1 },
      [],
      ['spec: Invalid value: 0: spec in body should have at least 1 items'],
    ],
    [{ type: 'object', maxProperties: 0 }, { a: 1 }, ['spec: Too many: 1: must have at most 0 items']],
    [
      { type: 'string', format: 'date-time' },
      'x',
      ['spec: Invalid value: "x": spec in body must be of type date-time: "x"'],
    ],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      { 'a.b': 1 },
      ['spec.a.b: Invalid value: "integer": spec.a.b in body must be of type string: "integer"'],
    ],
    [
      { not: { required: ['a'] } },
      { a: 1 },
      ['<nil>: Invalid value: "": "spec" must not validate the schema (not)'],
    ],
  ])('%j with %j', (schema, value, expected) => {
    expect(texts(schema, value)).toEqual(expected);
  });

  it('compares integers beyond doubles', () => {
    expect(texts({ type: 'integer', maximum: 5, multipleOf: 2 }, 9007199254740993n)).toEqual([
      'spec: Invalid value: 9007199254740993: spec in body should be a multiple of 2',
      'spec: Invalid value: 9007199254740993: spec in body should be less than or equal to 5',
    ]);
  });
  it.each<[JsonValue, string]>([
    [2000000, '2000000: spec in body should be less than or equal to 1000000'],
    [1234567.5, '1.2345675e+06: spec in body should be less than or equal to 1e+06'],
    [1e22, '1e+22: spec in body should be less than or equal to 1e+06'],
    [12345678901234567890n, '1.2345678901234567e+19: spec in body should be less than or equal to 1e+06'],
  ])('prints %s and its limit as numbers of one type', (value, text) => {
    expect(texts({ type: 'number', maximum: 1e6 }, value)).toEqual([`spec: Invalid value: ${text}`]);
  });
  it('rejects numbers beyond 64 bits as integers', () => {
    expect(texts({ type: 'integer' }, 1e22)).toEqual([
      'spec: Invalid value: "number": spec in body must be of type integer: "number"',
    ]);
  });
  it('reports types before combinations, and sizes and enumerations before members, as recorded', () => {
    const either: Schema = { anyOf: [{ minLength: 9 }], type: 'integer' };
    expect(texts(either, 'a').map((text) => text.split(':')[0])).toEqual(['spec', '<nil>', 'spec']);
    const map: Schema = {
      type: 'object',
      enum: [{}],
      maxProperties: 1,
      additionalProperties: { type: 'integer' },
    };
    expect(texts(map, { a: 'x', b: 1 }).map((text) => text.split(':')[1])).toEqual([
      ' Unsupported value',
      ' Too many',
      ' Invalid value',
    ]);
  });
  it('reports the errors of the nearest alternative', () => {
    const schema: Schema = {
      type: 'object',
      anyOf: [{ required: ['a'], properties: { a: { minimum: 5 } } }, { required: ['b'] }],
    };
    expect(texts(schema, { a: 1 })).toEqual([
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      'spec.a: Invalid value: 1: spec.a in body should be greater than or equal to 5',
    ]);
  });
  it('counts the alternatives of oneOf', () => {
    const schema: Schema = { oneOf: [{ minimum: 1 }, { minimum: 2 }] };
    expect(texts(schema, 3)).toEqual([
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ]);
  });
  it('reports once what several parts of a combination, or a part and the whole, find', () => {
    const twice: Schema = { allOf: [{ required: ['b'] }, { required: ['b'] }], required: ['b', 'b'] };
    expect(texts(twice, {})).toEqual([
      'spec.b: Required value',
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ]);
    const short = 'spec: Invalid value: "": spec in body should be at least 2 chars long';
    expect(texts({ minLength: 2, allOf: [{ minLength: 2 }] }, '')).toEqual([
      short,
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ]);
  });
  it('reports repeated items once each', () => {
    const set: Schema = { type: 'array', listType: 'set', items: { type: 'string' } };
    expect(texts(set, ['a', 'b', 'a', 'a'])).toEqual(['spec[2]: Duplicate value: "a"']);
    const map: Schema = { type: 'array', listType: 'map', listMapKeys: ['k'], items: { type: 'object' } };
    expect(texts(map, [{ k: 1 }, {}, { k: 1 }, {}])).toEqual([
      'spec[2]: Duplicate value: map[string]interface {}{"k":1}',
      'spec[3]: Duplicate value: map[string]interface {}{}',
    ]);
  });
  it('rejects invalid patterns, and those that would not run in linear time', () => {
    const compile = (pattern: string) => () => compileStructural({ type: 'string', pattern });
    expect(compile('a(')).toThrow(
      new TypeError('the schema has the pattern "a(": error parsing regexp: missing closing ): `a(`'),
    );
    expect(compile('(?=a)')).toThrow(TypeError);
    expect(compile('(a)\\1')).toThrow(TypeError);
  });
  it('compiles patterns later, in steps of their own', () => {
    const names = ['a', 'b', 'c'];
    const schema: Schema = {
      type: 'object',
      properties: Object.fromEntries(names.map((pattern) => [pattern, { type: 'string', pattern }])),
    };
    const compiled: string[] = [];
    const compilePattern = (pattern: string): RegExp => {
      compiled.push(pattern);
      return new RegExp(pattern, 'u');
    };
    const structure = compileStructural(schema, { compilePattern, compilesPatternsLater: true });
    const steps = structure.validateSteps({ a: 'x' });
    const counts: number[] = [];
    let result = steps.next();
    for (; !result.done; result = steps.next()) counts.push(compiled.length);
    expect([...new Set(counts)]).toEqual([0, 1, 2, 3]);
    expect(result.value).toMatchObject([{ field: 'a' }]);
    expect(structure.validateUpdateSteps({ a: 'x' }, { a: 'y' }).next()).toMatchObject({ done: true });
    expect(compiled).toHaveLength(3);
  });
  it('reports a pattern that is compiled later when an object is validated', () => {
    const structure = compileStructural({ pattern: 'a(' }, { compilesPatternsLater: true });
    expect(structure.applyDefaults('a')).toBe('a');
    expect(() => structure.validate('a')).toThrow('the schema has the pattern "a("');
    expect(() => runAtOnce(structure.validateStatusUpdateSteps('a', 'a'))).toThrow(TypeError);
  });
  it('accepts another engine for patterns', () => {
    const compilePattern = (pattern: string): RegExp => new RegExp(pattern, 'u');
    const compiled = compileStructural({ type: 'string', pattern: '^(?!x)' }, { compilePattern });
    expect([compiled.validate('xa').length, compiled.validate('a').length]).toEqual([1, 0]);
  });
});

describe('embedded resources', () => {
  const schema: Schema = { type: 'object', embeddedResource: true, preserveUnknownFields: true };
  const compiled = compileSpec(schema);

  it('must name their kind', () => {
    expect(texts(schema, { kind: 'x y', metadata: { labels: { '-': '' } } })).toMatchObject(
      [
        'spec.apiVersion: Required value: must not be empty',
        /^spec.kind: Invalid value: "x y": may have mixed case/,
        /^spec.metadata.labels: Invalid value: "-"/,
      ].map((text) => (typeof text === 'string' ? text : expect.stringMatching(text))),
    );
  });
  it('have metadata like any object', () => {
    const paths: string[] = [];
    const value = {
      metadata: { name: 'a', nope: 1 },
      spec: { metadata: { name: 'b', nope: 2, labels: null } },
    };
    expect(compiled.coerceMetadata(value, (path) => paths.push(path))).toEqual({
      metadata: { name: 'a' },
      spec: { metadata: { name: 'b' } },
    });
    expect(paths).toEqual(['metadata.nope', 'spec.metadata.nope']);
  });
  it('reject metadata of a wrong type, or drop them', () => {
    const value = { spec: { kind: 1, metadata: { name: 1, labels: { a: 'b' } } } };
    expect(() => compiled.coerceMetadata(value, () => {})).toThrow(
      'spec.kind: Invalid value: 1: must be a string',
    );
    expect(compiled.coerceMetadata(value, () => {}, { dropInvalid: true })).toEqual({
      spec: { metadata: { labels: { a: 'b' } } },
    });
    expect(compiled.coerceMetadata(value, () => {}, { keepInvalid: true })).toEqual(value);
  });

  it('leave declared metadata that are null to defaulting', () => {
    const metadata: Schema = { type: 'object' };
    const declared = compileSpec({ ...schema, properties: { metadata } });
    const value = { spec: { metadata: null } };
    expect(declared.coerceMetadata(value, () => {})).toEqual(value);
    const nullable = compileSpec({ ...schema, properties: { metadata: { ...metadata, nullable: true } } });
    for (const other of [compiled, nullable])
      expect(other.coerceMetadata(value, () => {})).toEqual({ spec: { metadata: {} } });
  });

  it('miss a kind before others are of a wrong type', () => {
    expect(texts(schema, { apiVersion: null })).toEqual([
      'spec.kind: Required value: must not be empty',
      'spec.apiVersion: Invalid value: "null": must be a string',
    ]);
  });
});

describe('ratcheting', () => {
  const compiled = compileSpec({
    type: 'object',
    required: ['r'],
    properties: {
      a: { type: 'string', minLength: 3 },
      list: { type: 'array', items: { type: 'string', minLength: 3 } },
      map: {
        type: 'array',
        listType: 'map',
        listMapKeys: ['k'],
        items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer', minimum: 1 } } },
      },
      set: { type: 'array', listType: 'set', items: { type: 'string' } },
      any: {
        type: 'object',
        properties: { x: { type: 'integer' } },
        anyOf: [{ properties: { x: { minimum: 5 } } }],
      },
    },
  });
  const errorsOf = (value: JsonObject, old: JsonObject): string[] =>
    compiled
      .validateUpdate({ spec: { r: 1, ...value } }, { spec: { r: 1, ...old } })
      .map(({ field }) => field);

  it('ignores unchanged errors', () => {
    expect(errorsOf({ a: 'x', b: 1 }, { a: 'x', b: 2 })).toEqual([]);
    expect(errorsOf({ a: 'y' }, { a: 'x' })).toEqual(['spec.a']);
  });
  it('compares lists as a whole, and list maps by their keys', () => {
    expect(errorsOf({ list: ['a'], b: 1 }, { list: ['a'] })).toEqual([]);
    expect(errorsOf({ list: ['a', 'bbb'] }, { list: ['a'] })).toEqual(['spec.list[0]']);
    const old = {
      map: [
        { k: 'a', v: 0 },
        { k: 'b', v: 1 },
      ],
    };
    expect(
      errorsOf(
        {
          map: [
            { k: 'b', v: 0 },
            { k: 'a', v: 0 },
          ],
        },
        old,
      ),
    ).toEqual(['spec.map[0].v']);
  });
  it('drops errors of combinations only if the entire value is unchanged', () => {
    expect(errorsOf({ any: { x: 1 }, a: 'abc' }, { any: { x: 1 } })).toEqual([]);
    expect(errorsOf({ any: { x: 2 } }, { any: { x: 1 } })).toContain('<nil>');
  });
  it('looks for repeated items only if there were none', () => {
    expect(errorsOf({ set: ['a', 'a', 'b'] }, { set: ['a', 'a'] })).toEqual([]);
    expect(errorsOf({ set: ['a', 'a'] }, { set: ['a'] })).toEqual(['spec.set[1]']);
  });
  it('still requires missing fields', () => {
    expect(compiled.validateUpdate({ spec: { a: 'abc' } }, { spec: {} }).map(({ field }) => field)).toEqual([
      'spec.r',
    ]);
  });
});

describe('any schema and value', () => {
  const names = fc.constantFrom('a', 'b', 'c');
  const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Schema>(
        { type: 'string', default: 'd' },
        { type: 'integer', nullable: true },
        { intOrString: true },
      ),
      fc.record({ type: fc.constant('array' as const), items: tie('schema') }),
      fc.record({ type: fc.constant('object' as const), properties: fc.dictionary(names, tie('schema')) }),
      fc.record({ type: fc.constant('object' as const), additionalProperties: tie('schema') }),
      fc.record({
        type: fc.constant('object' as const),
        properties: fc.dictionary(names, tie('schema')),
        preserveUnknownFields: fc.constant(true),
      }),
    ),
  }));
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>(null, 1, 1.5, 'x', true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value')),
    ),
  }));

  it('pruning and defaulting are idempotent, and do not change their input', () => {
    fc.assert(
      fc.property(schema, value, (spec, given) => {
        const compiled = compileSpec(spec);
        const before = JSON.stringify(given);
        const once = compiled.applyDefaults(compiled.prune({ spec: given }, () => {}));
        expect(JSON.stringify(given)).toBe(before);
        expect(compiled.applyDefaults(compiled.prune(once, (path) => expect.unreachable(path)))).toEqual(
          once,
        );
      }),
    );
  });
  it('an update without changes is never rejected for the shape of the value', () => {
    fc.assert(
      fc.property(schema, value, (spec, given) => {
        const compiled = compileStructural(spec);
        expect(compiled.validateUpdate(given, given).length).toBeLessThanOrEqual(
          compiled.validate(given).length,
        );
      }),
    );
  });
});
