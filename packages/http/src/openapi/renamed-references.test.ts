import { type JsonObject, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { renamedSteps, v3SchemaSteps } from './renamed-references.ts';

const names = new Map([['#/definitions/a', '#/definitions/a_v2']]);
const renamed = (value: JsonObject) => runAtOnce(renamedSteps(value, names));

describe('references with new names', () => {
  it('are found in lists and objects, and others stay', () => {
    const value = {
      items: [{ $ref: '#/definitions/a' }, [{ $ref: '#/definitions/b' }], null, '#/definitions/a'],
      $ref: { $ref: '#/definitions/a' },
      other: '#/definitions/a',
    };
    expect(renamed(value)).toEqual({
      items: [{ $ref: '#/definitions/a_v2' }, [{ $ref: '#/definitions/b' }], null, '#/definitions/a'],
      $ref: { $ref: '#/definitions/a_v2' },
      other: '#/definitions/a',
    });
    expect(value.items[0]).toEqual({ $ref: '#/definitions/a' });
  });

  it('leave the value itself where there are none', () => {
    const value = { items: [] };
    expect(runAtOnce(renamedSteps(value, new Map()))).toBe(value);
  });

  it('keep a member that is called as what objects inherit from', () => {
    const value = JSON.parse('{"__proto__":{"$ref":"#/definitions/a"}}') as JsonObject;
    expect(JSON.stringify(renamed(value))).toBe('{"__proto__":{"$ref":"#/definitions/a_v2"}}');
  });

  it('are looked for with pauses', () => {
    const value = { items: Array.from({ length: 10_000 }, () => ({ $ref: '#/definitions/a' })) };
    expect([...renamedSteps(value, names)].length).toBeGreaterThan(8);
  });
});

describe('references of v2 in v3', () => {
  const converted = (value: object): JsonObject => runAtOnce(v3SchemaSteps(value as JsonObject));

  it('lead to the components', () => {
    const places = ['#/definitions/a', '#/parameters/b', '#/responses/c', 'elsewhere#/definitions/d'];
    expect(converted({ all: places.map(($ref) => ({ $ref })) })).toEqual({
      all: [
        '#/components/schemas/a',
        '#/components/parameters/b',
        '#/components/responses/c',
        'elsewhere#/definitions/d',
      ].map(($ref) => ({ $ref })),
    });
  });

  it('stand in a list where the schema has more', () => {
    const value = { items: { $ref: '#/definitions/a', description: 'An a.', default: { $ref: 1 } } };
    expect(converted(value)).toEqual({
      items: {
        allOf: [{ $ref: '#/components/schemas/a' }],
        description: 'An a.',
        default: { $ref: 1 },
      },
    });
    expect(value.items.$ref).toBe('#/definitions/a');
  });
});
