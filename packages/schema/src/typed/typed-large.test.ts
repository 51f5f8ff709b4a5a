import { type JsonObject, ObjectTooLargeError, runAtOnce, type Schema } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { compileTyped } from './typed-decode.ts';

const text: Schema = { type: 'string' };
const amounts: Schema = { type: 'object', additionalProperties: { type: 'string', format: 'quantity' } };
const labels: Schema = { type: 'object', additionalProperties: text };
const root = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  typeName: 'x.Thing',
  properties,
});
const codec = compileTyped(root({ name: text, labels, others: labels, amounts, more: amounts }));
const decoded = (value: JsonObject): JsonObject =>
  runAtOnce(codec.decodeSteps(value, ({ path }) => expect.unreachable(path)));

const many = (count: number, value: string): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));

describe('large parts of objects that were decoded', () => {
  it('are not decoded again when the object is', () => {
    const first = decoded({ name: 'a', labels: many(5_000, 'v') });
    const second = decoded({ ...first, name: 'b' });
    expect(second.labels).toBe(first.labels);
    expect(second).toEqual({ name: 'b', labels: first.labels });
    expect([...codec.decodeSteps({ ...first, name: 'c' }, () => {})].length).toBeLessThan(4);
  });

  it('are decoded again as parts of another type, with pauses', () => {
    const { labels: given } = decoded({ labels: many(5_000, '1') });
    const steps = codec.decodeSteps({ amounts: given as JsonObject }, () => {});
    expect([...steps].length).toBeGreaterThan(8);
    const wrong = decoded({ labels: many(5_000, 'no amount') }).labels as JsonObject;
    expect(() => decoded({ amounts: wrong })).toThrow('quantities must match');
  });

  it('count what is counted in them', () => {
    const first = decoded({ amounts: many(6_000, '1') });
    expect(() => decoded({ ...first, more: many(6_000, '1') })).toThrow(ObjectTooLargeError);
  });
});
