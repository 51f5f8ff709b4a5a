import type { Schema } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComparedDefinition, type ComparedVersion, compareDefinitions } from './compare-definitions.ts';
import { compareSchemas } from './compare-schemas.ts';

const BOTH = ['stored objects', 'clients'];
const NOBODY: string[] = [];
const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const of = (field: Schema): Schema => object({ spec: object({ f: field }) });
const changesOf = (before: Schema, after: Schema): unknown[] =>
  compareSchemas(before, after).map(({ path, change, breaks }) => [path, change, breaks]);
const changed = (before: Schema, after: Schema): unknown[] => changesOf(of(before), of(after));

describe('stricter schemas', () => {
  it.each<[Schema, Schema, string]>([
    [{ type: 'string' }, { type: 'integer' }, 'was a string and is an integer'],
    [{ type: 'number' }, { type: 'integer' }, 'was a number and is an integer'],
    [{ intOrString: true }, { type: 'string' }, 'was an integer or string and is a string'],
    [{ type: 'integer' }, { type: 'integer', maximum: 5 }, 'maximum is now 5'],
    [{ type: 'integer', maximum: 5 }, { type: 'integer', maximum: 4 }, 'maximum was 5 and is 4'],
    [{ type: 'integer', minimum: 1 }, { type: 'integer', minimum: 2 }, 'minimum was 1 and is 2'],
    [
      { type: 'number', maximum: 5 },
      { type: 'number', maximum: 5, exclusiveMaximum: true },
      'exclusiveMaximum is now set',
    ],
    [{ type: 'string' }, { type: 'string', pattern: '^a' }, 'pattern is now "^a"'],
    [{ type: 'string', pattern: '^a' }, { type: 'string', pattern: '^b' }, 'pattern was "^a" and is "^b"'],
    [{ type: 'string' }, { type: 'string', format: 'date' }, 'format is now "date"'],
    [
      { type: 'integer', format: 'int64' },
      { type: 'integer', format: 'int32' },
      'format was "int64" and is "int32"',
    ],
    [{ type: 'integer', multipleOf: 2 }, { type: 'integer', multipleOf: 3 }, 'multipleOf was 2 and is 3'],
    [{ type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a'] }, '"b" is no longer allowed'],
    [{ type: 'string' }, { type: 'string', enum: ['a', 'b'] }, 'only "a", "b" are allowed now'],
    [{ type: 'string', nullable: true }, { type: 'string' }, 'may no longer be null'],
    [{ type: 'string' }, { type: 'string', not: { enum: ['a'] } }, 'has not now'],
    [
      { type: 'string' },
      { type: 'string', validations: [{ rule: "self != ''" }] },
      `has the rule "self != ''" now`,
    ],
    [
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { type: 'string' }, listType: 'set' },
      'was a list of type atomic and is one of type set',
    ],
    [{ type: 'object', preserveUnknownFields: true }, { type: 'object' }, 'no longer keeps unknown fields'],
  ])('break stored objects and clients: %j, then %j', (before, after, change) => {
    expect(changed(before, after)).toEqual([['spec.f', change, BOTH]]);
  });

  it('break on removed fields in use, and on new required fields', () => {
    const before = object({ a: { type: 'string' }, b: { type: 'string' } });
    expect(changesOf(before, object({ b: { type: 'string' } }, { required: ['b'] }))).toEqual([
      ['a', 'is gone; what is there is dropped', BOTH],
      ['b', 'is required now', BOTH],
    ]);
    expect(changesOf(before, object({}, { preserveUnknownFields: true }))).toContainEqual([
      'a',
      'is no longer described; what is there is kept',
      ['clients'],
    ]);
  });

  it('are found in lists and maps', () => {
    const nested = (size: Schema): Schema =>
      object({
        list: { type: 'array', items: object({ size }) },
        map: { type: 'object', additionalProperties: object({ size }) },
      });
    expect(changesOf(nested({ type: 'string' }), nested({ type: 'string', maxLength: 3 }))).toEqual([
      ['list[].size', 'maxLength is now 3', BOTH],
      ['map{}.size', 'maxLength is now 3', BOTH],
    ]);
    expect(changed({ type: 'object', additionalProperties: true }, { type: 'object' })).toEqual([
      ['spec.f{}', 'is gone; what is there is dropped', BOTH],
    ]);
  });
});

describe('more lenient schemas', () => {
  it.each<[Schema, Schema, string]>([
    [{ type: 'integer', maximum: 4 }, { type: 'integer' }, 'maximum is no longer 4'],
    [{ type: 'string', minLength: 4 }, { type: 'string', minLength: 3 }, 'minLength was 4 and is 3'],
    [{ type: 'string', enum: ['a'] }, { type: 'string', enum: ['a', 'b'] }, '"b" is allowed now'],
    [{ type: 'string' }, { type: 'string', nullable: true }, 'may be null now'],
    [
      { type: 'integer', format: 'int32' },
      { type: 'integer', format: 'int64' },
      'format was "int32" and is "int64"',
    ],
    [{ type: 'integer', multipleOf: 6 }, { type: 'integer', multipleOf: 3 }, 'multipleOf was 6 and is 3'],
    [{ type: 'string', validations: [{ rule: 'r' }] }, { type: 'string' }, 'has no longer the rule "r"'],
    [{ type: 'string' }, { type: 'string', default: 'a' }, 'has the default "a" now'],
  ])('are compatible: %j, then %j', (before, after, change) => {
    expect(changed(before, after)).toEqual([['spec.f', change, NOBODY]]);
  });

  it('are compatible for new fields, unless stored objects may have a field of that name', () => {
    const a = { a: { type: 'string' } } as const;
    expect(changesOf(object({}), object(a))).toEqual([['a', 'is new', NOBODY]]);
    const keeps = { preserveUnknownFields: true };
    expect(changesOf(object({}, keeps), object(a, keeps))).toEqual([
      ['a', 'is new, where unknown fields were kept', ['stored objects']],
    ]);
    const withDefault = object({ a: { type: 'string', default: 'x' } }, { required: ['a'] });
    expect(changesOf(object({}), withDefault)).toContainEqual([
      'a',
      'is required now, and has a default',
      NOBODY,
    ]);
  });

  it('break clients that read values of the old type', () => {
    expect(changed({ type: 'integer' }, { type: 'number' })).toEqual([
      ['spec.f', 'was an integer and is a number', ['clients']],
    ]);
    expect(changed({ type: 'string' }, { intOrString: true })).toEqual([
      ['spec.f', 'was a string and is an integer or string', ['clients']],
    ]);
  });
});

describe('schemas with another meaning', () => {
  it.each<[Schema, Schema, string, string[]]>([
    [{ type: 'string', default: 'a' }, { type: 'string' }, 'has no longer the default "a"', ['clients']],
    [
      { type: 'string', default: 'a' },
      { type: 'string', default: 'b' },
      'had the default "a" and has "b"',
      BOTH,
    ],
    [
      { type: 'object', mapType: 'atomic' },
      { type: 'object' },
      'was a map of type atomic and is one of type granular',
      ['clients'],
    ],
    [
      { type: 'array', listType: 'map', listMapKeys: ['a'] },
      { type: 'array', listType: 'map', listMapKeys: ['a', 'b'] },
      'the keys of the list were a and are a, b',
      BOTH,
    ],
    [
      { type: 'string' },
      { type: 'string', validations: [{ rule: 'self == oldSelf' }] },
      'has the rule "self == oldSelf" now',
      ['clients'],
    ],
  ])('%j, then %j', (before, after, change, breaks) => {
    expect(changed(before, after)).toEqual([['spec.f', change, breaks]]);
  });
});

const schema = object({ spec: object({ size: { type: 'integer' } }) });
const version = (name: string, more: Partial<ComparedVersion> = {}): ComparedVersion => ({
  name,
  served: true,
  storage: false,
  schema,
  ...more,
});
const widgets = (
  versions: readonly ComparedVersion[],
  more: Partial<ComparedDefinition> = {},
): ComparedDefinition => ({
  group: 'example.com',
  names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
  scope: 'Namespaced',
  versions,
  ...more,
});
const compare = (before: ComparedDefinition, after: ComparedDefinition): unknown[] =>
  compareDefinitions([before], [after]).map(({ type, version: name, path, change, breaks }) => {
    expect(type).toBe('widgets.example.com');
    return [name, path, change, breaks];
  });

describe('definitions', () => {
  const v1 = version('v1', { storage: true });

  it('are added and removed', () => {
    const core = widgets([v1], { group: '' });
    expect(compareDefinitions([core], [widgets([v1])])).toEqual([
      { type: 'widgets', path: '', change: 'is gone', breaks: BOTH },
      { type: 'widgets.example.com', path: '', change: 'is new', breaks: NOBODY },
    ]);
  });

  it('keep their scope and names', () => {
    const names = { plural: 'widgets', kind: 'Gadget' };
    expect(compare(widgets([v1]), widgets([v1], { scope: 'Cluster', names }))).toEqual([
      [undefined, '', 'was of the scope Namespaced and is Cluster', BOTH],
      [undefined, '', 'was of the kind Widget and is Gadget', BOTH],
      [undefined, '', 'is no longer called wd', ['clients']],
    ]);
  });

  it('lose versions', () => {
    const v2 = version('v2', { storage: true });
    expect(compare(widgets([v1, version('v1beta1')]), widgets([v2]))).toEqual([
      [
        undefined,
        '',
        'objects were stored in v1 and are in v2, and nothing reads v1 any more',
        ['stored objects'],
      ],
      ['v1', '', 'is gone', ['clients']],
      ['v1beta1', '', 'is gone', ['clients']],
      ['v2', '', 'is new', NOBODY],
    ]);
    expect(compare(widgets([v1]), widgets([{ ...v1, served: false }]))).toEqual([
      ['v1', '', 'is no longer served', ['clients']],
    ]);
  });

  it('change their storage version, which may have fewer fields', () => {
    const less = version('v2', { storage: true, schema: object({ spec: object({}) }) });
    const before = widgets([v1, { ...less, storage: false }]);
    expect(compare(before, widgets([{ ...v1, storage: false }, less]))).toEqual([
      [undefined, '', 'objects were stored in v1 and are in v2', NOBODY],
      [
        'v2',
        'spec.size',
        'is in v1 and not in v2; it is dropped when an object is stored',
        ['stored objects'],
      ],
    ]);
  });

  it('add and remove subresources and selectable fields', () => {
    const rich = version('v1', {
      storage: true,
      subresources: [{ name: 'status' }],
      views: [{ name: 'scale' }],
      selectableFields: { names: ['spec.size'] },
    });
    expect(compare(widgets([v1]), widgets([rich]))).toEqual([
      ['v1', '', 'has the subresource status now', ['clients']],
      ['v1', '', 'has the subresource scale now', NOBODY],
    ]);
    expect(compare(widgets([rich]), widgets([v1]))).toEqual([
      ['v1', '', 'the subresource status is gone', ['clients']],
      ['v1', '', 'the subresource scale is gone', ['clients']],
      ['v1', '', 'field selectors no longer know spec.size', ['clients']],
    ]);
  });
});

describe('any schema', () => {
  const { whole } = fc.letrec<{ whole: Schema; part: Schema }>((tie) => ({
    part: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record(
        { type: fc.constantFrom('string' as const, 'integer' as const), default: fc.constantFrom('a', 1) },
        { requiredKeys: ['type'] },
      ),
      fc.record({ type: fc.constant('array' as const), items: tie('part') }),
      tie('whole'),
    ),
    whole: fc.record(
      {
        type: fc.constant('object' as const),
        properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'c'), tie('part')),
        required: fc.uniqueArray(fc.constantFrom('a', 'b')),
      },
      { requiredKeys: ['type'] },
    ),
  }));

  it('equals a copy of it', () => {
    fc.assert(
      fc.property(whole, (each) => {
        expect(compareSchemas(each, structuredClone(each))).toEqual([]);
      }),
    );
  });

  it('differs from another in both directions or not at all', () => {
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        expect(compareSchemas(a, b).length > 0).toBe(compareSchemas(b, a).length > 0);
      }),
    );
  });
});
