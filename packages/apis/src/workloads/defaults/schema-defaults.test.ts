import type { ApiObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { boolean, int32, optional, printed, string, type } from '../../types/schema-fields.ts';
import { listOf, mapOf, part, quantities, withDefault } from '../shape-fields.ts';
import { compileDefaults } from './schema-defaults.ts';

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
const { complete, completeSteps } = compileDefaults(schema);
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

  it('replace null, and leave out what the type has not', () => {
    const object = complete(plan({ on: null, first: null, byName: null, other: 1 }));
    expect(Object.entries(object)).toEqual([
      ['kind', 'Plan'],
      ['first', { times: 3 }],
      ['byName', null],
      ['on', true],
    ]);
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
    const { complete: ruled } = compileDefaults(schema, {
      'example.Step': (value) => (value.after ? value : { ...value, after: 'x' }),
    });
    expect(ruled(plan({ steps: [{ name: 'a' }] }))).toMatchObject({
      first: { times: 3, after: 'x' },
      steps: [{ name: 'a', times: 3, after: 'x' }],
    });
  });

  it('fill large lists and maps with pauses, the same as small ones', () => {
    const steps = Array.from({ length: 5000 }, (_, i) => ({ name: `${i}` }));
    const amounts = Object.fromEntries(steps.map(({ name }) => [`a${name}`, '0.0001']));
    const large = completeSteps(plan({ steps, amounts, byName: Object.fromEntries(steps.entries()) }));
    let pauses = 0;
    let result = large.next();
    for (; !result.done; result = large.next()) pauses++;
    // three times 5000, and at most 512 between pauses
    expect(pauses).toBeGreaterThanOrEqual(27);
    const filled = result.value as ApiObject & Record<string, Record<string, unknown>>;
    expect(filled.steps).toEqual(steps.map((item) => ({ ...item, times: 3 })));
    expect(filled.byName?.[4999]).toEqual({ name: '4999', times: 3 });
    expect(new Set(Object.values(filled.amounts ?? {}))).toEqual(new Set(['1m']));
    expect(Object.keys(filled.amounts ?? {})).toHaveLength(5000);
  });

  it('fill many small lists within each other with pauses', () => {
    const group = type('example.Group', { steps: listOf(1, step, { listType: 'atomic' }) });
    const groups = compileDefaults(
      type('example.Groups', { kind: string(1), groups: listOf(2, group, { listType: 'atomic' }) }),
    );
    const steps = Array.from({ length: 200 }, () => ({ name: 'a' }));
    const large = groups.completeSteps(plan({ groups: Array.from({ length: 100 }, () => ({ steps })) }));
    let pauses = 0;
    let result = large.next();
    for (; !result.done; result = large.next()) pauses++;
    expect(pauses).toBeGreaterThanOrEqual(38);
    const filled = { steps: steps.map((item) => ({ ...item, times: 3 })) };
    expect(result.value).toEqual({ kind: 'Plan', groups: Array.from({ length: 100 }, () => filled) });
  });

  it('are set no further once they alone are larger than an object may be', () => {
    const long = type('example.Long', { text: withDefault(optional(string(1)), 'x'.repeat(1000)) });
    let count = 0;
    const { complete: completeLong } = compileDefaults(
      type('example.Longs', { kind: string(1), items: listOf(2, long, { listType: 'atomic' }) }),
      {
        'example.Long': (value) => {
          count++;
          return value;
        },
      },
    );
    const items = (length: number) =>
      plan({ items: Array.from({ length }, () => ({})) }) as ApiObject & { items: unknown[] };
    expect(() => completeLong(items(100_000))).toThrow(
      expect.objectContaining({ problem: 'limit is 3145728' }),
    );
    expect(count).toBeLessThan(4_000);
    const { complete: completeRuled } = compileDefaults(schema, {
      'example.Step': (value) => {
        count++;
        return { ...value, after: 'x'.repeat(1000) };
      },
    });
    const steps = items(100_000).items;
    expect(() => completeRuled(plan({ steps }))).toThrow(/limit is 3145728/);
    expect(count).toBeLessThan(12_000);
    expect((completeLong(items(3_000)) as unknown as { items: unknown[] }).items).toHaveLength(3_000);
  });
});
