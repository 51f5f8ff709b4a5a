import type { ApiObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { boolean, int32, optional, printed, string, type } from '../types/schema-fields.ts';
import { compileDefaults } from './schema-defaults.ts';
import { listOf, mapOf, part, quantities, withDefault } from './shape-fields.ts';

const step = type('example.Step', {
  name: printed(string(1)),
  times: withDefault(int32(2), 3),
  after: optional(string(3)),
});
const schema = type('example.Plan', {
  kind: string(1),
  first: withDefault(optional(part(2, step)), {}),
  steps: listOf(3, step, { listType: 'atomic' }),
  byName: mapOf(4, step),
  on: withDefault(optional(boolean(5)), true),
  amounts: quantities(6),
});
const complete = compileDefaults(schema);
const plan = (fields: object): ApiObject => ({ kind: 'Plan', ...fields }) as unknown as ApiObject;

describe('defaults of a schema', () => {
  it('set absent fields, and nested ones', () => {
    expect(complete(plan({}))).toEqual({ kind: 'Plan', first: { times: 3 }, on: true });
  });

  it('treat zero as absent, unless the field is a pointer', () => {
    expect(complete(plan({ first: { times: 0 }, on: false }))).toMatchObject({
      first: { times: 3 },
      on: false,
    });
  });

  it('reach into lists and maps', () => {
    const object = complete(plan({ steps: [{ name: 'a' }, { name: 'b', times: 1 }], byName: { c: {} } }));
    expect(object).toMatchObject({ steps: [{ times: 3 }, { times: 1 }], byName: { c: { times: 3 } } });
  });

  it('keep the order of the schema', () => {
    const object = complete(plan({ on: false, steps: [{ times: 1, name: 'a' }] }));
    expect(Object.keys(object)).toEqual(['kind', 'first', 'steps', 'on']);
  });

  it('return the input if nothing is missing', () => {
    const object = plan({ first: { name: 'a', times: 1 }, on: true, amounts: { cpu: '1500m' } });
    expect(complete(object)).toBe(object);
  });

  it('round quantities up to thousandths', () => {
    const object = complete(plan({ amounts: { a: '0.0001', b: '100n', c: '1.5', d: '1Gi', e: '1500u' } }));
    expect(object.amounts).toEqual({ a: '1m', b: '1m', c: '1.5', d: '1Gi', e: '2m' });
  });

  it('apply the rule of a type first', () => {
    const ruled = compileDefaults(schema, {
      'example.Step': (value) => (value.after ? value : { ...value, after: 'x' }),
    });
    expect(ruled(plan({ steps: [{ name: 'a' }] }))).toMatchObject({
      first: { times: 3, after: 'x' },
      steps: [{ name: 'a', times: 3, after: 'x' }],
    });
  });
});
